package org.onesided.verbs.shm;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.Context;
import org.onesided.verbs.Devices;

@Timeout(300)
class BellTest
{
    private static final long LONG_NS = 50_000_000_000L;

    @Test
    void shouldWakeSleepersWhenItCloses() throws Exception
    {
        final Context context = Devices.find("shm").open();
        final CompletionChannel channel = context.createCompletionChannel();
        final CompletableFuture<Object> completion = CompletableFuture.supplyAsync(() -> channel.awaitEvent(LONG_NS));
        final CompletableFuture<Object> event = CompletableFuture.supplyAsync(() -> context.awaitAsyncEvent(LONG_NS));
        // Most likely both sleep then; if not, the test shows less.
        Thread.sleep(100);
        assertFalse(completion.isDone() || event.isDone());
        channel.close();
        assertNull(completion.get(20, TimeUnit.SECONDS));
        context.close();
        assertNull(event.get(20, TimeUnit.SECONDS));
    }
}
