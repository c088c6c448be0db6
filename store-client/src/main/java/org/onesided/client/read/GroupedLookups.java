package org.onesided.client.read;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.session.Attachment;
import org.onesided.client.session.AttachmentLostException;
import org.onesided.client.session.Counters;
import org.onesided.client.session.DeadlinePassedException;
import org.onesided.client.session.Reconnector;
import org.onesided.client.session.RunningOperation;
import org.onesided.client.session.SessionCore;
import org.onesided.verbs.VerbsException;

/**
 * Carries many lookups out, in groups: while one group is judged, the READs of the next are in flight. A key that its
 * group does not settle is looked up singly. Not thread-safe.
 */
final class GroupedLookups
{
    /** Time for READs in flight to end after a failure. */
    private static final long DRAIN_NS = 1_000_000;
    private static final int NOWHERE = -1;
    static final String LATE = "deadline passed before the values were there";

    /** Lookups to carry out together, numbered from 0. */
    interface Lookups
    {
        int count();

        /** Adds the key of a lookup to a group. */
        void addTo(KeyGroup group, int index);

        /** Called before a group, with its first lookup: sets or checks the deadline. */
        void beginGroup(int first);

        /** Called before a group is awaited, with its first lookup: the next group may have another deadline. */
        void awaitGroup(int first);

        /** Called before a single lookup: prepares the running operation, with its key. */
        void beginAlone(int index);

        /**
         * As {@link #beginAlone(int)}, with the group's copy of the key, because the caller may have changed its own.
         */
        void beginAlone(int index, long keyAddress, int keyLength);

        /**
         * Result of a lookup.
         *
         * @param index   of the lookup.
         * @param value   valid during this call; null for absent.
         * @param tableId of the table that was looked in.
         * @param version number of the value's version; 0 for absent.
         */
        void onValue(int index, DirectBuffer value, long tableId, long version);

        /** A group has failed. If this does not throw, its lookups are carried out singly. */
        void onGroupFailure(StoreException failure);

        /** A single lookup has failed. */
        void onFailure(int index, StoreException failure);
    }

    private final RunningOperation operation;
    private final Reconnector reconnector;
    private final SessionGets gets;
    private final Counters counters;
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private KeyGroup current = new KeyGroup(1);
    private KeyGroup next = new KeyGroup(2);
    /** Lookups in groups so far. */
    private int staged;

    GroupedLookups(final SessionCore core, final SessionGets gets)
    {
        this(core.operation(), core.reconnector(), core.counters(), gets);
    }

    /** As the other constructor, with the parts of the core. */
    GroupedLookups(
        final RunningOperation operation,
        final Reconnector reconnector,
        final Counters counters,
        final SessionGets gets)
    {
        this.operation = operation;
        this.reconnector = reconnector;
        this.counters = counters;
        this.gets = gets;
    }

    /** Carries all lookups out, and reports each in order, unless a callback throws. */
    void run(final Lookups lookups)
    {
        try
        {
            begin(lookups);
            finish(lookups);
        }
        finally
        {
            end();
        }
    }

    /** Posts the READs of a first group. {@link #finish} may follow, and {@link #end} must. */
    void begin(final Lookups lookups)
    {
        staged = stage(current, lookups, 0);
    }

    /** Carries all lookups out that were begun, and reports each in order, unless a callback throws. */
    void finish(final Lookups lookups)
    {
        final int count = lookups.count();
        int done = 0;
        while (done < count)
        {
            if (staged == done)
            {
                // No group could be staged, without an attachment or memory.
                lookUp(lookups, done++, NOWHERE);
                staged = stage(current, lookups, done);
            }
            else
            {
                final int end = staged;
                staged = stage(next, lookups, end);
                await(current, lookups, done);
                for (int i = 0; done < end; i++)
                {
                    deliver(i, lookups, done++);
                }
                final KeyGroup judged = current;
                current = next;
                next = judged;
            }
        }
    }

    /** Ends READs in flight, which are left if something has failed. */
    void end()
    {
        reconnector.endReads(DRAIN_NS);
    }

    /** Fills a group and posts its READs; returns the number of lookups in groups so far. */
    private int stage(final KeyGroup group, final Lookups lookups, final int first)
    {
        if (first == lookups.count())
        {
            return first;
        }
        if (!tryBegin(group, lookups, first))
        {
            return first;
        }
        for (int i = first; i < lookups.count() && !group.isFull(); i++)
        {
            lookups.addTo(group, i);
        }
        try
        {
            group.post();
        }
        catch (final AttachmentLostException e)
        {
            reconnector.detach(e.getMessage());
        }
        catch (final DeadlinePassedException e)
        {
            giveUp(group, lookups);
        }
        return first + group.size();
    }

    private boolean tryBegin(final KeyGroup group, final Lookups lookups, final int first)
    {
        try
        {
            lookups.beginGroup(first);
            final Attachment attachment = reconnector.attached(WriteFate.NONE);
            final long lease = attachment.lease().begin();
            group.begin(gets.reads(attachment));
            group.lease(lease);
            return true;
        }
        catch (final AttachmentLostException e)
        {
            reconnector.detach(e.getMessage());
        }
        catch (final DeadlinePassedException e)
        {
            // No lease came in time. The READs of the group before have a time of their own.
            lookups.onGroupFailure(reconnector.tooLate(LATE, WriteFate.NONE));
        }
        catch (final VerbsException e)
        {
            lookups.onGroupFailure(new StoreLimitException(
                "no memory for many lookups at once, give the device more: " + e.getMessage(),
                operation.failure(WriteFate.NONE),
                e));
        }
        catch (final StoreException e)
        {
            lookups.onGroupFailure(e);
        }
        return false;
    }

    private void await(final KeyGroup group, final Lookups lookups, final int first)
    {
        lookups.awaitGroup(first);
        if (group.source() == reconnector.attachment())
        {
            try
            {
                // The group's buckets may lead to records in memory that was retired since they were READ.
                group.source().confirmation().look();
                group.await();
                reconnector.succeeded();
                if (group.isStillHeld())
                {
                    return;
                }
            }
            catch (final AttachmentLostException e)
            {
                reconnector.detach(e.getMessage());
            }
            catch (final DeadlinePassedException e)
            {
                giveUp(group, lookups);
            }
        }
        group.forget();
    }

    /** Time is up: drops the READs' results. */
    private void giveUp(final KeyGroup group, final Lookups lookups)
    {
        reconnector.endReads(0);
        group.forget();
        lookups.onGroupFailure(reconnector.deadlinePassed(LATE, WriteFate.NONE));
    }

    private void deliver(final int i, final Lookups lookups, final int index)
    {
        final KeyGroup.Found found =
            current.source() == reconnector.attachment() ? current.judge(i) : KeyGroup.Found.UNSETTLED;
        switch (found)
        {
            case MIRRORED_RECORD, RECORD ->
            {
                counters.increment(Counters.HITS);
                current.looked(i, true);
                if (found == KeyGroup.Found.MIRRORED_RECORD)
                {
                    counters.increment(Counters.MIRROR_HITS);
                }
                final RecordReader records = current.records();
                view.wrap(records.valueAddress(), records.valueLength());
                tell(lookups, index, view, tableId(), records.version());
            }
            case ABSENT ->
            {
                counters.increment(Counters.MISSES);
                current.looked(i, false);
                tell(lookups, index, null, tableId(), 0);
            }
            default -> lookUp(lookups, index, i);
        }
    }

    /** The table that the current group looked in. */
    private long tableId()
    {
        return current.source().table().id();
    }

    /** Delivers a result. The receiver may block, and the session looks at what is retired before its next READ. */
    private void tell(
        final Lookups lookups, final int index, final DirectBuffer value, final long tableId, final long version)
    {
        reconnector.pauseReads();
        lookups.onValue(index, value, tableId, version);
    }

    /** Carries a single lookup out; its key is in the current group, or {@link #NOWHERE}. */
    private void lookUp(final Lookups lookups, final int index, final int i)
    {
        final int length;
        try
        {
            if (i == NOWHERE)
            {
                lookups.beginAlone(index);
            }
            else
            {
                lookups.beginAlone(index, current.keyAddress(i), current.keyLength(i));
            }
            length = gets.findVersioned();
        }
        catch (final StoreException e)
        {
            lookups.onFailure(index, e);
            return;
        }
        if (length == SessionGets.ABSENT)
        {
            tell(lookups, index, null, gets.tableId(), 0);
        }
        else
        {
            view.wrap(gets.valueAddress(), length);
            tell(lookups, index, view, gets.tableId(), gets.version());
        }
    }
}
