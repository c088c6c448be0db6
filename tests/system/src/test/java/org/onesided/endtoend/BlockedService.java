package org.onesided.endtoend;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.onesided.client.AsyncStore;
import org.onesided.client.StoreClient;

/**
 * A service whose callback never returns, and that closes its client when it is told to stop.
 */
final class BlockedService
{
    private BlockedService()
    {
    }

    /**
     * @param args the server.
     * @throws InterruptedException never.
     */
    public static void main(final String[] args) throws InterruptedException
    {
        final StoreClient client = StoreClient.builder().server(args[0]).build();
        final AsyncStore async = client.async();
        final CountDownLatch isIn = new CountDownLatch(1);
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
                if (Thread.currentThread().getName().startsWith("onesided-async"))
                {
                    waitForEver(isIn);
                }
            });
        }
        System.out.println("blocked");
        new CompletableFuture<Void>().join();
    }

    private static void waitForEver(final CountDownLatch isIn)
    {
        isIn.countDown();
        new CompletableFuture<Void>().join();
    }
}
