package org.onesided.client.read;

import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.session.RunningOperation;
import org.onesided.client.session.SessionCore;

/**
 * Lookups of the asynchronous view, collected and carried out in groups whose READs are in flight together. A key that
 * its group does not settle is looked up singly. While results are reported, the next lookups are collected. Not
 * thread-safe.
 */
public final class AsyncGets implements GroupedLookups.Lookups
{
    /** Maximum number of collected lookups. */
    static final int CAPACITY = 64;

    private static final int KEYS_LENGTH = 64 * 1024;

    /** Receives the results. */
    public interface Listener
    {
        /**
         * A value was found, or none.
         *
         * @param correlation of the lookup.
         * @param value       only for the time of this call; null for absent.
         */
        void onValue(long correlation, DirectBuffer value);

        /**
         * A lookup failed.
         *
         * @param correlation of the lookup.
         * @param failure     of it.
         */
        void onFailure(long correlation, StoreException failure);
    }

    /** Lookups in order of their begin, which is the order of their deadlines. */
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

    private final RunningOperation operation;
    private final GroupedLookups runner;
    private final Listener listener;
    private Collection collected = new Collection();
    private Collection lookups = new Collection();
    /** Number of lookups that were reported, including the one being reported. */
    private int told;

    /**
     * @param core     of the session.
     * @param gets     carry out what a group does not settle.
     * @param listener is told of each lookup.
     */
    public AsyncGets(final SessionCore core, final SessionGets gets, final Listener listener)
    {
        operation = core.operation();
        runner = new GroupedLookups(core, gets);
        this.listener = listener;
    }

    /**
     * @return how many are collected.
     */
    public int collected()
    {
        return collected.count;
    }

    /**
     * Adds a lookup.
     *
     * @param key         holds the key, whose length was checked.
     * @param keyOffset   where it begins.
     * @param keyLength   in bytes.
     * @param correlation that the listener is told.
     * @param deadlineNs  when the lookup must end, a time of {@link System#nanoTime()}.
     * @return whether there was room for it.
     */
    public boolean add(
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

    /** Carries the collected lookups out, and reports each in any case. */
    public void run()
    {
        if (collected.count == 0)
        {
            return;
        }
        swap();
        try
        {
            runner.run(this);
        }
        catch (final RuntimeException | Error e)
        {
            failRest(new StoreDisconnectedException(
                "lookup was ended by an error: " + e,
                FailureContext.unsent(Operation.GET, operation.server()),
                e), e);
            throw e;
        }
    }

    /** Fails the lookups that were not reported, even if the listener throws. */
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

    /**
     * Fails all that are collected.
     *
     * @param failure of each.
     */
    public void close(final StoreException failure)
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

    @Override
    public int count()
    {
        return lookups.count;
    }

    @Override
    public void addTo(final KeyGroup group, final int index)
    {
        group.add(null, lookups.keyAddress(index), lookups.keyLengths[index]);
    }

    @Override
    public void beginGroup(final int first)
    {
        operation.deadline().at(lookups.deadlinesNs[first]);
    }

    @Override
    public void beginAlone(final int index)
    {
        operation.deadline().at(lookups.deadlinesNs[index]);
        operation.key(null, lookups.keyAddress(index), lookups.keyLengths[index]);
        operation.next(Operation.GET, lookups.keyLengths[index]);
    }

    @Override
    public void beginAlone(final int index, final long keyAddress, final int keyLength)
    {
        // These keys are copies already.
        beginAlone(index);
    }

    @Override
    public void onValue(final int index, final DirectBuffer value)
    {
        told++;
        listener.onValue(lookups.correlations[index], value);
    }

    @Override
    public void onGroupFailure(final StoreException failure)
    {
        // Each lookup fails singly, with its own deadline.
    }

    @Override
    public void onFailure(final int index, final StoreException failure)
    {
        told++;
        listener.onFailure(lookups.correlations[index], failure);
    }
}
