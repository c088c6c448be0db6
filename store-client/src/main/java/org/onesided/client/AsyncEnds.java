package org.onesided.client;

import org.agrona.DirectBuffer;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.read.AsyncGets;
import org.onesided.client.read.AsyncTtls;
import org.onesided.client.request.Outcomes;
import org.onesided.client.session.RunningOperation;
import org.onesided.client.types.MutableVersion;
import org.onesided.client.types.TimeToLive;

/**
 * Tells the listener of an asynchronous view how its operations have ended, and counts those in flight. What the
 * listener throws is kept until the others were told. Not thread-safe.
 */
final class AsyncEnds implements AsyncGets.Listener, AsyncTtls.Listener
{
    private final RunningOperation operation;
    private final Outcomes outcomes;
    private final AsyncListener listener;
    private final MutableVersion version = new MutableVersion();
    private int inFlight;
    private int delivered;
    private RuntimeException thrown;

    /**
     * @param operation that the session carries out.
     * @param outcomes  of its writes.
     * @param listener  of the view.
     */
    AsyncEnds(final RunningOperation operation, final Outcomes outcomes, final AsyncListener listener)
    {
        this.operation = operation;
        this.outcomes = outcomes;
        this.listener = listener;
    }

    /** Counts an operation in flight, if it was begun; whether it was. */
    boolean countIf(final boolean isBegun)
    {
        if (isBegun)
        {
            operation.asyncInFlight(++inFlight);
        }
        return isBegun;
    }

    /** Operations that were begun and that the listener was not told of. */
    int inFlight()
    {
        return inFlight;
    }

    /** Counts what is told from here on anew. */
    void beginTurn()
    {
        delivered = 0;
    }

    /** Of how many operations the listener was told in this turn. */
    int delivered()
    {
        return delivered;
    }

    /** Tells of the writes that have ended, without those that the listener adds. */
    void tellWrites()
    {
        for (int i = outcomes.count(); i > 0; i--)
        {
            outcomes.takeNext();
            version.set(outcomes.tableId(), outcomes.version());
            try
            {
                tellWrite(outcomes.correlation());
            }
            catch (final RuntimeException e)
            {
                remember(e);
            }
            finally
            {
                told();
            }
        }
    }

    private void tellWrite(final long correlation)
    {
        switch (outcomes.kind())
        {
            case Outcomes.PUT -> listener.onPut(correlation, version);
            case Outcomes.CONFLICT -> listener.onConflict(correlation, version);
            case Outcomes.DELETED -> listener.onDelete(correlation, true);
            case Outcomes.ABSENT -> listener.onDelete(correlation, false);
            case Outcomes.INCREMENTED -> listener.onIncrement(correlation, outcomes.result(), version);
            case Outcomes.APPENDED -> listener.onAppend(correlation, (int)outcomes.result(), version);
            case Outcomes.TOUCHED -> listener.onTouch(correlation, true);
            case Outcomes.UNTOUCHED -> listener.onTouch(correlation, false);
            default -> listener.onFailure(correlation, outcomes.failure());
        }
    }

    @Override
    public void onValue(final long correlation, final DirectBuffer value, final long tableId, final long number)
    {
        version.set(tableId, number);
        try
        {
            listener.onValue(correlation, value, version);
        }
        catch (final RuntimeException e)
        {
            remember(e);
        }
        finally
        {
            told();
        }
    }

    @Override
    public void onTtl(final long correlation, final TimeToLive ttl)
    {
        try
        {
            listener.onTtl(correlation, ttl);
        }
        catch (final RuntimeException e)
        {
            remember(e);
        }
        finally
        {
            told();
        }
    }

    @Override
    public void onFailure(final long correlation, final StoreException failure)
    {
        try
        {
            listener.onFailure(correlation, failure);
        }
        catch (final RuntimeException e)
        {
            remember(e);
        }
        finally
        {
            told();
        }
    }

    private void told()
    {
        delivered++;
        operation.asyncInFlight(--inFlight);
    }

    private void remember(final RuntimeException e)
    {
        if (thrown == null)
        {
            thrown = e;
        }
        else if (thrown != e)
        {
            thrown.addSuppressed(e);
        }
    }

    /** Throws what the listener has thrown, if it has. */
    void rethrow()
    {
        if (thrown != null)
        {
            final RuntimeException e = thrown;
            thrown = null;
            throw e;
        }
    }
}
