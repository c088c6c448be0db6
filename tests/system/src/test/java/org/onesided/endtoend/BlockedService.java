package org.onesided.endtoend;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.onesided.client.AsyncStore;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreDeadlineException;

/**
 * A service whose callback never returns. It looks up all the same, tells when that ends at its deadline after a line
 * of input, and closes its client when it is told to stop.
 */
final class BlockedService
{
    private BlockedService()
    {
    }

    /**
     * @param args the server.
     * @throws IOException if there is no input.
     */
    public static void main(final String[] args) throws IOException
    {
        final StoreClient client = StoreClient.builder().server(args[0]).deadline(Duration.ofSeconds(2)).build();
        final AsyncStore async = client.async();
        final CountDownLatch isIn = new CountDownLatch(1);
        final AtomicBoolean isFirst = new AtomicBoolean(true);
        Runtime.getRuntime().addShutdownHook(new Thread(() ->
        {
            client.close();
            System.out.println("closed");
        }));
        while (isIn.getCount() > 0)
        {
            // Unless it is done already, which would block this thread.
            async.put("w", "1").thenRun(() ->
            {
                // One alone: with some more, nothing else would go on.
                if (Thread.currentThread().getName().startsWith("onesided-async") && isFirst.compareAndSet(true, false))
                {
                    waitForEver(isIn);
                }
            });
        }
        System.out.println("blocked");
        // Until one has time enough, as a busy machine may not have it.
        while (!isDone(async))
        {
            Thread.onSpinWait();
        }
        System.out.println("goes on");
        System.in.read();
        while (isDone(async))
        {
            Thread.onSpinWait();
        }
        System.out.println("late");
        new CompletableFuture<Void>().join();
    }

    /** Whether a write is done before its deadline. */
    private static boolean isDone(final AsyncStore async)
    {
        try
        {
            async.put("others", "go on").join();
            return true;
        }
        catch (final CompletionException e)
        {
            if (e.getCause() instanceof StoreDeadlineException)
            {
                return false;
            }
            throw e;
        }
    }

    private static void waitForEver(final CountDownLatch isIn)
    {
        isIn.countDown();
        new CompletableFuture<Void>().join();
    }
}
