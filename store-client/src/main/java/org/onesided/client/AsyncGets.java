package org.onesided.client;

import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.verbs.VerbsException;

/**
 * Lookups of the asynchronous view: collected, then carried out in groups whose READs are under way together. A key
 * that its group does not settle is looked up by itself. While lookups are told of, the next ones are collected. Not
 * thread-safe.
 */
final class AsyncGets
{
    /** Lookups collected at most. */
    static final int CAPACITY = 64;

    private static final int KEYS_LENGTH = 64 * 1024;
    /** READs under way when something fails get so long to end. */
    private static final long DRAIN_NS = 1_000_000;

    /** Gets what was found. */
    interface Listener
    {
        /** Only for the time of this call; null for absent. */
        void onValue(long correlation, DirectBuffer value);

        void onFailure(long correlation, StoreException failure);
    }

    /** Lookups in the order in which they were begun, and so of their deadlines. */
    private static final class Collection
    {
        private final UnsafeBuffer keys = new UnsafeBuffer(BufferUtil.allocateDirectAligned(KEYS_LENGTH, Long.BYTES));
        private final int[] keyOffsets = new int[CAPACITY];
        private final int[] keyLengths = new int[CAPACITY];
        private final long[] correlations = new long[CAPACITY];
        private final long[] deadlinesNs = new long[CAPACITY];
        private int count;
        private int used;

        private long keyAddress(final int i)
        {
            return keys.addressOffset() + keyOffsets[i];
        }
    }

    private final SessionLink link;
    private final SessionGets gets;
    private final Counters counters;
    private final Listener listener;
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private Collection collected = new Collection();
    private Collection lookups = new Collection();
    /** Of the lookups, how many the listener was told of, or is being told of. */
    private int told;
    private BatchGroup current = new BatchGroup(1);
    private BatchGroup next = new BatchGroup(2);

    AsyncGets(final SessionLink link, final SessionGets gets, final Listener listener)
    {
        this.link = link;
        this.gets = gets;
        this.counters = link.counters();
        this.listener = listener;
    }

    /** How many are collected. */
    int count()
    {
        return collected.count;
    }

    /** Adds a lookup of a key whose length was checked; whether there was room for it. */
    boolean add(
        final DirectBuffer key,
        final int keyOffset,
        final int keyLength,
        final long correlation,
        final long deadlineNs)
    {
        final Collection to = collected;
        if (to.count == CAPACITY || to.used + keyLength > KEYS_LENGTH)
        {
            return false;
        }
        final int i = to.count++;
        to.keys.putBytes(to.used, key, keyOffset, keyLength);
        to.keyOffsets[i] = to.used;
        to.keyLengths[i] = keyLength;
        to.correlations[i] = correlation;
        to.deadlinesNs[i] = deadlineNs;
        to.used += keyLength;
        return true;
    }

    /** Carries out what is collected, and tells of each, whatever happens. */
    void run()
    {
        if (collected.count == 0)
        {
            return;
        }
        swap();
        try
        {
            carryOut();
        }
        catch (final RuntimeException | Error e)
        {
            failRest(new StoreDisconnectedException(
                "lookup was ended by an error: " + e,
                FailureContext.unsent(Operation.GET, link.server().address()),
                e), e);
            throw e;
        }
        finally
        {
            link.endReads(DRAIN_NS);
        }
    }

    private void carryOut()
    {
        int staged = stage(current, 0);
        while (told < lookups.count)
        {
            if (staged == told)
            {
                // There is no attachment, as it seems.
                lookUp(told);
                staged = stage(current, told);
            }
            else
            {
                final int end = staged;
                staged = stage(next, end);
                await(current);
                for (int i = 0; told < end; i++)
                {
                    tell(i, told);
                }
                final BatchGroup done = current;
                current = next;
                next = done;
            }
        }
    }

    /** Fails those that the listener was not told of, even if it throws. */
    private void failRest(final StoreException failure, final Throwable cause)
    {
        while (told < lookups.count)
        {
            try
            {
                listener.onFailure(lookups.correlations[told++], failure);
            }
            catch (final RuntimeException | Error e)
            {
                if (e != cause)
                {
                    cause.addSuppressed(e);
                }
            }
        }
    }

    /** Fails all that are collected. */
    void close(final StoreException failure)
    {
        swap();
        try
        {
            while (told < lookups.count)
            {
                listener.onFailure(lookups.correlations[told++], failure);
            }
        }
        catch (final RuntimeException | Error e)
        {
            failRest(failure, e);
            throw e;
        }
    }

    private void swap()
    {
        final Collection done = lookups;
        lookups = collected;
        collected = done;
        done.count = 0;
        done.used = 0;
        told = 0;
    }

    /** Fills a group and posts its READs; gives back how many lookups are in groups by now, or were. */
    private int stage(final BatchGroup group, final int first)
    {
        if (first == lookups.count)
        {
            return first;
        }
        link.deadline().at(lookups.deadlinesNs[first]);
        try
        {
            group.begin(link.attached(WriteFate.NONE));
        }
        catch (final StoreException | VerbsException e)
        {
            // Each lookup finds out by itself, with its own deadline.
            return first;
        }
        for (int i = first; i < lookups.count && !group.isFull(); i++)
        {
            group.add(null, lookups.keyAddress(i), lookups.keyLengths[i]);
        }
        try
        {
            group.post();
        }
        catch (final AttachmentLostException e)
        {
            link.detach(e.getMessage());
        }
        catch (final DeadlinePassedException e)
        {
            link.endReads(0);
            group.forget();
        }
        return first + group.size();
    }

    private void await(final BatchGroup group)
    {
        if (group.source() == link.attachment())
        {
            try
            {
                group.await();
                link.succeeded();
                return;
            }
            catch (final AttachmentLostException e)
            {
                link.detach(e.getMessage());
            }
            catch (final DeadlinePassedException e)
            {
                link.endReads(0);
            }
        }
        group.forget();
    }

    private void tell(final int i, final int index)
    {
        final BatchGroup.Found found =
            current.source() == link.attachment() ? current.judge(i) : BatchGroup.Found.UNSETTLED;
        switch (found)
        {
            case MIRRORED_RECORD, RECORD ->
            {
                counters.increment(Counters.HITS);
                if (found == BatchGroup.Found.MIRRORED_RECORD)
                {
                    counters.increment(Counters.MIRROR_HITS);
                }
                final RecordReader records = current.source().records();
                view.wrap(records.valueAddress(), records.valueLength());
                told++;
                listener.onValue(lookups.correlations[index], view);
            }
            case ABSENT ->
            {
                counters.increment(Counters.MISSES);
                told++;
                listener.onValue(lookups.correlations[index], null);
            }
            default -> lookUp(index);
        }
    }

    private void lookUp(final int index)
    {
        final long correlation = lookups.correlations[index];
        final int length;
        try
        {
            link.deadline().at(lookups.deadlinesNs[index]);
            link.key(null, lookups.keyAddress(index), lookups.keyLengths[index]);
            link.nextOperation(Operation.GET, lookups.keyLengths[index]);
            length = gets.find();
        }
        catch (final StoreException e)
        {
            told++;
            listener.onFailure(correlation, e);
            return;
        }
        told++;
        if (length == SessionGets.ABSENT)
        {
            listener.onValue(correlation, null);
        }
        else
        {
            view.wrap(gets.valueAddress(), length);
            listener.onValue(correlation, view);
        }
    }
}
