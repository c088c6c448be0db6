package org.onesided.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.onesided.testing.Closers;
import org.onesided.testing.HangGuard;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.ReliableConnection;

/**
 * Two sides and the waiting for their completions. While one side's completion is awaited both are polled, since a
 * software device progresses only for those who call it.
 */
final class Pair implements AutoCloseable
{
    /** Only a guard against hanging. */
    private static final long DEADLINE_NS = HangGuard.nanos(20);

    final Side a;
    final Side b;
    private final Closers closers = new Closers();

    Pair(final String device, final Setup ofA, final Setup ofB)
    {
        this(device, ofA, device, ofB);
    }

    Pair(final String deviceOfA, final Setup ofA, final String deviceOfB, final Setup ofB)
    {
        boolean ready = false;
        try
        {
            a = closers.add(new Side(deviceOfA, ofA));
            b = closers.add(new Side(deviceOfB, ofB));
            ready = true;
        }
        finally
        {
            if (!ready)
            {
                closers.close();
            }
        }
    }

    Pair connect()
    {
        connect(a, a.queuePair, b, b.queuePair);
        return this;
    }

    /**
     * Takes two queue pairs from RESET to RTS.
     */
    static void connect(final Side x, final QueuePair ofX, final Side y, final QueuePair ofY)
    {
        final Endpoint endpointX = x.endpoint(ofX);
        final Endpoint endpointY = y.endpoint(ofY);
        ReliableConnection.initialise(ofX, x.connection);
        ReliableConnection.initialise(ofY, y.connection);
        ReliableConnection.connect(ofX, endpointX, endpointY, x.connection);
        ReliableConnection.connect(ofY, endpointY, endpointX, y.connection);
    }

    Completion sent(final Side side)
    {
        return next(side, side.sent);
    }

    Completion received(final Side side)
    {
        return next(side, side.received);
    }

    Completion sent(final Side side, final long id, final int status)
    {
        return check(sent(side), id, status);
    }

    Completion received(final Side side, final long id, final int status)
    {
        return check(received(side), id, status);
    }

    Completion sent(final Side side, final long id)
    {
        return sent(side, id, CompletionStatus.SUCCESS);
    }

    Completion received(final Side side, final long id)
    {
        return received(side, id, CompletionStatus.SUCCESS);
    }

    /**
     * Lets both sides work for a while, and takes what completes.
     */
    void run(final long millis)
    {
        final long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        do
        {
            a.poll();
            b.poll();
            Thread.yield();
        }
        while (System.nanoTime() - end < 0);
    }

    /**
     * Neither side completes anything more.
     */
    void expectQuiet()
    {
        run(30);
        assertEquals("[][][][]", "" + a.sent + a.received + b.sent + b.received, "completions beyond those expected");
    }

    void await(final String what, final BooleanSupplier condition)
    {
        await(what, DEADLINE_NS, condition);
    }

    void await(final String what, final long deadlineNs, final BooleanSupplier condition)
    {
        final long end = System.nanoTime() + deadlineNs;
        while (!condition.getAsBoolean())
        {
            assertTrue(System.nanoTime() - end < 0, () -> "waited in vain for " + what + ": " + this);
            a.poll();
            b.poll();
            Thread.yield();
        }
    }

    void awaitState(final Side side, final QueuePairState state)
    {
        await("state " + state, () -> side.queuePair.state() == state);
    }

    @Override
    public void close()
    {
        closers.close();
    }

    @Override
    public String toString()
    {
        return "a: " + a.queuePair.state() + " sent=" + a.sent + " received=" + a.received +
            ", b: " + b.queuePair.state() + " sent=" + b.sent + " received=" + b.received;
    }

    private Completion next(final Side side, final Deque<Completion> completions)
    {
        await("a completion of " + (side == a ? "a" : "b"), () -> !completions.isEmpty());
        return completions.remove();
    }

    private Completion check(final Completion completion, final long id, final int status)
    {
        assertEquals(
            "id=" + id + " " + CompletionStatus.name(status),
            "id=" + completion.id() + " " + CompletionStatus.name(completion.status()),
            this::toString);
        return completion;
    }
}
