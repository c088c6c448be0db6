package org.onesided.client.callback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.exceptions.Operation;

@Timeout(60)
class DeliveryTest
{
    private final CountDownLatch latch = new CountDownLatch(1);

    @AfterEach
    void endCallbacks()
    {
        latch.countDown();
    }

    private static AsyncOperation ended(final Runnable callback)
    {
        final AsyncOperation operation = new AsyncOperation(
            Operation.PUT, new byte[1], new byte[1], 0, (result, failure) -> callback.run());
        assertTrue(operation.take());
        assertTrue(operation.end(null, null));
        return operation;
    }

    private static void await(final CountDownLatch awaited)
    {
        try
        {
            awaited.await();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    private static void complete(final List<AsyncOperation> operations, final Executor executor)
    {
        new Delivery(operations, executor, "test-delivery").complete(System.nanoTime() + TimeUnit.MINUTES.toNanos(1));
    }

    @Test
    void shouldTellWhatACallbackWaitsForThoughTheExecutorRunsCallbacksAtOnce()
    {
        final CountDownLatch first = new CountDownLatch(1);
        final CountDownLatch second = new CountDownLatch(1);
        complete(List.of(
            ended(() ->
            {
                await(second);
                first.countDown();
            }),
            ended(second::countDown)), Runnable::run);
        await(first);
        assertEquals(0, second.getCount());
    }

    @Test
    void shouldTellAllThoughTheExecutorTakesNothing()
    {
        final CountDownLatch told = new CountDownLatch(2);
        complete(List.of(ended(told::countDown), ended(told::countDown)), (task) -> await(latch));
        await(told);
    }

    @Test
    void shouldTellAllHoweverManyCallbacksBlock()
    {
        final int count = 40;
        final CountDownLatch told = new CountDownLatch(count);
        final List<AsyncOperation> operations = new ArrayList<>();
        IntStream.range(0, count).forEach((i) -> operations.add(ended(() ->
        {
            told.countDown();
            await(latch);
        })));
        complete(operations, null);
        await(told);
        assertTrue(operations.stream().allMatch(AsyncOperation::isTold));
    }

    @Test
    void shouldTellAllAfterACallbackThatThrows()
    {
        final CountDownLatch told = new CountDownLatch(1);
        complete(List.of(
            ended(() ->
            {
                throw new AssertionError("bad callback");
            }),
            ended(told::countDown)), null);
        await(told);
    }
}
