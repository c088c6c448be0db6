package org.onesided.client.read;

import org.agrona.DirectBuffer;
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
    /** Receives the results. */
    public interface Listener
    {
        /**
         * A value was found, or none.
         *
         * @param correlation of the lookup.
         * @param value       only for the time of this call; null for absent.
         * @param tableId     of the table that was looked in.
         * @param version     number of the value's version; 0 for absent.
         */
        void onValue(long correlation, DirectBuffer value, long tableId, long version);

        /**
         * A lookup failed.
         *
         * @param correlation of the lookup.
         * @param failure     of it.
         */
        void onFailure(long correlation, StoreException failure);
    }

    private final RunningOperation operation;
    private final GroupedLookups runner;
    private final Listener listener;
    private CollectedKeys collected = new CollectedKeys();
    private CollectedKeys lookups = new CollectedKeys();
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
        return collected.count();
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
        return collected.add(key, keyOffset, keyLength, correlation, deadlineNs);
    }

    /** Carries the collected lookups out, and reports each in any case. */
    public void run()
    {
        if (collected.count() == 0)
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
        while (told < lookups.count())
        {
            try
            {
                listener.onFailure(lookups.correlation(told++), failure);
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
            while (told < lookups.count())
            {
                listener.onFailure(lookups.correlation(told++), failure);
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
        final CollectedKeys done = lookups;
        lookups = collected;
        collected = done;
        done.clear();
        told = 0;
    }

    @Override
    public int count()
    {
        return lookups.count();
    }

    @Override
    public void addTo(final KeyGroup group, final int index)
    {
        group.add(null, lookups.keyAddress(index), lookups.keyLength(index));
    }

    @Override
    public void beginGroup(final int first)
    {
        operation.deadline().at(lookups.deadlineNs(first));
    }

    @Override
    public void beginAlone(final int index)
    {
        operation.deadline().at(lookups.deadlineNs(index));
        operation.key(null, lookups.keyAddress(index), lookups.keyLength(index));
        operation.next(Operation.GET, lookups.keyLength(index));
    }

    @Override
    public void beginAlone(final int index, final long keyAddress, final int keyLength)
    {
        // These keys are copies already.
        beginAlone(index);
    }

    @Override
    public void onValue(final int index, final DirectBuffer value, final long tableId, final long version)
    {
        told++;
        listener.onValue(lookups.correlation(index), value, tableId, version);
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
        listener.onFailure(lookups.correlation(index), failure);
    }
}
