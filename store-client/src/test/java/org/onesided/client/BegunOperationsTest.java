package org.onesided.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.onesided.client.bootstrap.HostAndPort;
import org.onesided.client.callback.AsyncOperation;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.session.ClientConfiguration;
import org.onesided.client.session.ClientContext;
import org.onesided.client.types.MutableVersion;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.Waiting;
import org.onesided.verbs.HugePages;

/**
 * What a session tells of the operations that it has begun, and what becomes of those that it tells nothing of.
 */
class BegunOperationsTest
{
    private final ClientContext context = new ClientContext(
        new ClientConfiguration(
            "127.0.0.1:1", new byte[0], null, "shm", StoreClientBuilder.DEFAULT_CONNECTION, 1, 1, 0, HugePages.AUTO,
            Waiting.DEFAULT,
            (before, now) -> { }, null),
        HostAndPort.parse("127.0.0.1:1"),
        null,
        null);
    private final List<String> told = new ArrayList<>();
    private boolean isClosed;
    private final EndedOperations ends = new EndedOperations(context, () -> isClosed);
    private final BegunOperations begun = new BegunOperations(ends);

    private int begin(final String name, final PutOptions options, final long leftNs)
    {
        final AsyncOperation operation = new AsyncOperation(
            name, new byte[1], new byte[1], options, 0, 0, System.nanoTime() + leftNs,
            (result, failure) -> told.add(name + " " + (failure != null ? failure.writeFate() + " " +
                failure.getClass().getSimpleName() :
                result instanceof final byte[] bytes ? "bytes " + bytes.length : result)));
        assertTrue(operation.take());
        final int correlation = begun.next();
        begun.add(correlation, operation);
        return correlation;
    }

    private int begin(final String name)
    {
        return begin(name, null, TimeUnit.HOURS.toNanos(1));
    }

    private List<String> told()
    {
        while (ends.untold().peek() != null)
        {
            // Once it has ended, this tells that end.
            ends.untold().remove().giveUp(null, null);
        }
        final List<String> all = List.copyOf(told);
        told.clear();
        return all;
    }

    @Test
    void shouldGiveEachOperationTheResultOfItsKind()
    {
        final UnsafeBuffer value = new UnsafeBuffer(new byte[3]);
        begun.onValue(begin(Operation.GET), value, new MutableVersion());
        begun.onValue(begin(Operation.GET), null);
        begun.onValue(begin(Operation.CONTAINS), value, new MutableVersion());
        begun.onValue(begin(Operation.CONTAINS), null);
        begun.onPut(begin(Operation.PUT), new MutableVersion());
        begun.onDelete(begin(Operation.DELETE), true);
        begun.onTouch(begin(Operation.TOUCH), false);
        begun.onTtl(begin(Operation.TTL), null);

        assertEquals(
            List.of(
                Operation.GET + " bytes 3", Operation.GET + " null", Operation.CONTAINS + " true",
                Operation.CONTAINS + " false", Operation.PUT + " null", Operation.DELETE + " true",
                Operation.TOUCH + " false", Operation.TTL + " null"),
            told());
    }

    @Test
    void shouldKnowOperationsInFlightApartAndUseTheirCorrelationsAgain()
    {
        final int first = begin(Operation.DELETE);
        final int second = begin(Operation.TOUCH);
        assertNotEquals(first, second);
        begun.onDelete(first, true);
        assertEquals(first, begin(Operation.PUT));
        begun.onTouch(second, true);

        assertEquals(List.of(Operation.DELETE + " true", Operation.TOUCH + " true"), told());
    }

    @Test
    void shouldFailWhatASessionThatIsGoneHasNotTold()
    {
        begun.onPut(begin(Operation.PUT));
        begin(Operation.GET);
        begin(Operation.PUT);
        begun.failAll();

        assertEquals(
            List.of(Operation.PUT + " null", Operation.PUT + " UNKNOWN StoreDisconnectedException",
                Operation.GET + " NONE StoreDisconnectedException"),
            told());
        begun.failAll();
        assertEquals(List.of(), told());
    }

    @Test
    void shouldEndLateOperationsOnceThoughTheyAreInFlight()
    {
        final int late = begin(Operation.PUT, null, 0);
        begin(Operation.PUT);
        begun.expire();
        assertEquals(List.of(Operation.PUT + " UNKNOWN StoreDeadlineException"), told());

        begun.onPut(late);
        assertEquals(List.of(), told());
    }

    /** The close interrupts attempts to connect: these have not failed by themselves. */
    @Test
    void shouldTellOfTheCloseInsteadOfAnAttemptThatItInterrupted()
    {
        final StoreDisconnectedException lost = new StoreDisconnectedException(
            "lost", new FailureContext(Operation.PUT, "key", "server", WriteFate.NOT_APPLIED));
        begun.onFailure(begin(Operation.PUT), lost);
        isClosed = true;
        begun.onFailure(begin(Operation.PUT), lost);

        assertEquals(
            List.of(Operation.PUT + " NOT_APPLIED StoreDisconnectedException",
                Operation.PUT + " NOT_APPLIED StoreClosedException"),
            told());
    }
}
