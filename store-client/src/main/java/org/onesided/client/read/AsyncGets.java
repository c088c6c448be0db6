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
    public interface Listener extends QuestionTurns.FailureListener
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
    }

    private final RunningOperation operation;
    private final GroupedLookups runner;
    private final Listener listener;
    private final QuestionTurns turns;

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
        turns = new QuestionTurns(listener);
    }

    /**
     * @return how many are collected.
     */
    public int collected()
    {
        return turns.collected();
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
        return turns.add(key, keyOffset, keyLength, correlation, deadlineNs);
    }

    /** Carries the collected lookups out, and reports each in any case. */
    public void run()
    {
        if (turns.collected() == 0)
        {
            return;
        }
        turns.next();
        try
        {
            runner.run(this);
        }
        catch (final RuntimeException | Error e)
        {
            turns.failRest(new StoreDisconnectedException(
                "lookup was ended by an error: " + e,
                FailureContext.unsent(Operation.GET, operation.server()),
                e), e);
            throw e;
        }
    }

    /**
     * Fails all that are collected.
     *
     * @param failure of each.
     */
    public void close(final StoreException failure)
    {
        turns.failNext(failure);
    }

    @Override
    public int count()
    {
        return turns.present().count();
    }

    @Override
    public void addTo(final KeyGroup group, final int index)
    {
        group.add(null, turns.present().keyAddress(index), turns.present().keyLength(index));
    }

    @Override
    public void beginGroup(final int first)
    {
        operation.deadline().at(turns.present().deadlineNs(first));
    }

    @Override
    public void awaitGroup(final int first)
    {
        beginGroup(first);
    }

    @Override
    public void beginAlone(final int index)
    {
        operation.deadline().at(turns.present().deadlineNs(index));
        operation.key(null, turns.present().keyAddress(index), turns.present().keyLength(index));
        operation.next(Operation.GET, turns.present().keyLength(index));
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
        turns.tell();
        listener.onValue(turns.present().correlation(index), value, tableId, version);
    }

    @Override
    public void onGroupFailure(final StoreException failure)
    {
        // Each lookup fails singly, with its own deadline.
    }

    @Override
    public void onFailure(final int index, final StoreException failure)
    {
        turns.tell();
        listener.onFailure(turns.present().correlation(index), failure);
    }
}
