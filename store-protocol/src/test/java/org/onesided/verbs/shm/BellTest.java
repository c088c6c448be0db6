package org.onesided.verbs.shm;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.Context;
import org.onesided.verbs.Devices;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.posix.Posix;

@Timeout(300)
class BellTest
{
    private static final long LONG_NS = 50_000_000_000L;

    /** What waits there is another device's to take. */
    @Test
    void shouldAlsoWakeWhileAnotherDescriptorHasSomethingToRead()
    {
        try (Context context = Devices.find("shm").open();
            CompletionChannel channel = context.createCompletionChannel();
            NativeArray memory = new NativeArray(16))
        {
            final long ends = memory.range().address();
            Posix.pipe(ends);
            final int readEnd = UnsafeApi.getInt(ends);
            final int writeEnd = UnsafeApi.getInt(ends + Integer.BYTES);
            assertTrue(channel.alsoAwait(readEnd));
            assertTrue(channel.alsoAwait(readEnd));
            assertNull(channel.awaitEvent(1_000_000));

            Posix.write(writeEnd, ends + 8, 1);
            final long startNs = System.nanoTime();
            assertNull(channel.awaitEvent(LONG_NS));
            assertNull(channel.awaitEvent(LONG_NS));
            assertTrue(System.nanoTime() - startNs < LONG_NS);
            Posix.read(readEnd, ends + 8, 1);

            // The other end hangs up: that is told once.
            Posix.close(writeEnd);
            assertNull(channel.awaitEvent(LONG_NS));
            final long leftNs = System.nanoTime();
            assertNull(channel.awaitEvent(20_000_000));
            assertTrue(System.nanoTime() - leftNs >= 20_000_000);
            assertTrue(System.nanoTime() - startNs < LONG_NS);
            Posix.close(readEnd);
        }
    }

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
