package org.onesided.client.read;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.session.AttachmentLostException;
import org.onesided.client.session.Counters;
import org.onesided.client.session.DeadlinePassedException;
import org.onesided.client.session.Reconnector;
import org.onesided.client.session.RunningOperation;
import org.onesided.client.session.SessionCore;
import org.onesided.verbs.VerbsException;

/**
 * Carries many lookups out, in groups whose READs are under way together: while one group is judged, the READs of the
 * next are under way. A key that its group does not settle is looked up by itself. Not thread-safe.
 */
final class GroupedLookups
{
    /** READs under way when something fails get so long to end. */
    private static final long DRAIN_NS = 1_000_000;
    private static final int NOWHERE = -1;
    static final String LATE = "deadline passed before the values were there";

    /** Lookups that are carried out together, counted from 0. */
    interface Lookups
    {
        int count();

        /** Adds the key of a lookup to a group. */
        void addTo(KeyGroup group, int index);

        /** A group is to be carried out whose first lookup this is: sets or checks the deadline. */
        void beginGroup(int first);

        /** A lookup is to be carried out by itself, as the running operation: sets its key, and what else it needs. */
        void beginAlone(int index);

        /** As {@link #beginAlone(int)}, with the group's copy of the key: the caller may have changed its own. */
        void beginAlone(int index, long keyAddress, int keyLength);

        /** A value was found; only for the time of this call. Null for absent. */
        void onValue(int index, DirectBuffer value);

        /** A group could not be carried out. Where this does not throw, its lookups are carried out by themselves. */
        void onGroupFailure(StoreException failure);

        /** A lookup failed that was carried out by itself. */
        void onFailure(int index, StoreException failure);
    }

    private final RunningOperation operation;
    private final Reconnector reconnector;
    private final SessionGets gets;
    private final Counters counters;
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private KeyGroup current = new KeyGroup(1);
    private KeyGroup next = new KeyGroup(2);

    GroupedLookups(final SessionCore core, final SessionGets gets)
    {
        operation = core.operation();
        reconnector = core.reconnector();
        counters = core.counters();
        this.gets = gets;
    }

    /** Carries all out, and tells of each in its order, unless a method of theirs throws. */
    void run(final Lookups lookups)
    {
        final int count = lookups.count();
        try
        {
            int staged = stage(current, lookups, 0);
            int done = 0;
            while (done < count)
            {
                if (staged == done)
                {
                    // No group could be staged, for want of an attachment or of memory.
                    lookUp(lookups, done++, NOWHERE);
                    staged = stage(current, lookups, done);
                }
                else
                {
                    final int end = staged;
                    staged = stage(next, lookups, end);
                    await(current, lookups);
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
        finally
        {
            reconnector.endReads(DRAIN_NS);
        }
    }

    /** Fills a group and posts its READs; gives back how many lookups are in groups by now, or were. */
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
            group.begin(gets.reads(reconnector.attached(WriteFate.NONE)));
            return true;
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

    private void await(final KeyGroup group, final Lookups lookups)
    {
        if (group.source() == reconnector.attachment())
        {
            try
            {
                group.await();
                reconnector.succeeded();
                return;
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

    /** Time is up: what was READ is of no use. */
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
                if (found == KeyGroup.Found.MIRRORED_RECORD)
                {
                    counters.increment(Counters.MIRROR_HITS);
                }
                final RecordReader records = current.records();
                view.wrap(records.valueAddress(), records.valueLength());
                lookups.onValue(index, view);
            }
            case ABSENT ->
            {
                counters.increment(Counters.MISSES);
                lookups.onValue(index, null);
            }
            default -> lookUp(lookups, index, i);
        }
    }

    /** Carries a lookup out by itself, with its key in the current group, or {@link #NOWHERE}. */
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
            length = gets.find();
        }
        catch (final StoreException e)
        {
            lookups.onFailure(index, e);
            return;
        }
        if (length == SessionGets.ABSENT)
        {
            lookups.onValue(index, null);
        }
        else
        {
            view.wrap(gets.valueAddress(), length);
            lookups.onValue(index, view);
        }
    }
}
