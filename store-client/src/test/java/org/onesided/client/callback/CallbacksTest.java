package org.onesided.client.callback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.exceptions.Operation;

@Timeout(60)
class CallbacksTest
{
    private final CountDownLatch latch = new CountDownLatch(1);
    private final Callbacks callbacks = new Callbacks((task) ->
    {
        // Forgets them all.
    }, "test-late");

    @AfterEach
    void endCallbacks()
    {
        latch.countDown();
    }

    /** One that has ended after its deadline, and whose callback blocks. */
    private AsyncOperation late()
    {
        final AsyncOperation operation = new AsyncOperation(
            Operation.PUT, new byte[1], new byte[1], System.nanoTime() - 1, (result, failure) -> await());
        assertTrue(operation.take());
        assertTrue(operation.end(null, null));
        return operation;
    }

    private void await()
    {
        try
        {
            latch.await();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void assertNoneIsForgotten(final List<AsyncOperation> operations) throws InterruptedException
    {
        while (operations.stream().filter(AsyncOperation::isTold).count() < 64)
        {
            callbacks.tellLate();
            Thread.sleep(1);
        }
        for (int i = 0; i < 10; i++)
        {
            assertTrue(callbacks.tellLate());
        }
        assertEquals(operations.stream().filter((each) -> !each.isTold()).toList(), callbacks.untold());

        latch.countDown();
        while (callbacks.tellLate())
        {
            Thread.sleep(1);
        }
        assertTrue(operations.stream().allMatch(AsyncOperation::isTold));
        assertEquals(List.of(), callbacks.untold());
    }

    @Test
    void shouldKeepWhatTheExecutorForgotUntilItIsTold() throws InterruptedException
    {
        final List<AsyncOperation> operations = new ArrayList<>();
        for (int i = 0; i < 100; i++)
        {
            operations.add(late());
            callbacks.tell(operations.get(i));
        }
        assertNoneIsForgotten(operations);
    }

    @Test
    void shouldKeepWhatHasEndedLateUntilItIsTold() throws InterruptedException
    {
        final List<AsyncOperation> operations = new ArrayList<>();
        for (int i = 0; i < 100; i++)
        {
            operations.add(late());
        }
        final Queue<AsyncOperation> ended = new ConcurrentLinkedQueue<>(operations);
        callbacks.takeLate(ended);
        assertTrue(ended.isEmpty());
        assertEquals(operations, callbacks.untold());
        assertNoneIsForgotten(operations);
    }

    @Test
    void shouldLeaveWhatIsNotLateToItsThread()
    {
        final AsyncOperation operation = new AsyncOperation(
            Operation.PUT, new byte[1], new byte[1], System.nanoTime() + TimeUnit.HOURS.toNanos(1),
            (result, failure) -> await());
        final Queue<AsyncOperation> ended = new ConcurrentLinkedQueue<>(List.of(operation));
        callbacks.takeLate(ended);
        assertEquals(1, ended.size());
        assertEquals(List.of(), callbacks.untold());
    }
}
