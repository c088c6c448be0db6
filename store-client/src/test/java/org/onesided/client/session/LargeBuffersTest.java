package org.onesided.client.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.Context;
import org.onesided.verbs.Devices;
import org.onesided.verbs.Errno;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.VerbsException;

class LargeBuffersTest
{
    private static final long KIB = 1024;

    private final Context context = Devices.find("shm").open();
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final LargeBuffers buffers = new LargeBuffers(context, domain, HugePages.AUTO, 1024 * KIB, 800 * KIB);
    private final Deadline deadline = deadline(20_000);

    private static Deadline deadline(final long durationMs)
    {
        final Deadline deadline = new Deadline();
        deadline.begin(TimeUnit.MILLISECONDS.toNanos(durationMs));
        return deadline;
    }

    /** Fails if a buffer was lost, for then the device is still in use. */
    @AfterEach
    void close()
    {
        buffers.close();
        domain.close();
        context.close();
    }

    @Test
    void shouldKeepABufferForTheNext()
    {
        final RegisteredBuffer first = buffers.take(100 * KIB, deadline);
        assertTrue(first.length() >= 100 * KIB);
        UnsafeApi.putByte(first.addressOf(100 * KIB - 1, 1), (byte)1);
        buffers.giveBack(first);

        final RegisteredBuffer second = buffers.take(90 * KIB, deadline);
        assertSame(first, second);
        buffers.giveBack(second);
    }

    @Test
    void shouldNotLendTheSameTwice()
    {
        final RegisteredBuffer first = buffers.take(100 * KIB, deadline);
        final RegisteredBuffer second = buffers.take(100 * KIB, deadline);
        assertNotSame(first, second);
        buffers.giveBack(first);
        buffers.giveBack(second);
    }

    @Test
    void shouldNotKeepWhatIsDiscarded()
    {
        final RegisteredBuffer first = buffers.take(100 * KIB, deadline);
        buffers.discard(first);

        final RegisteredBuffer second = buffers.take(100 * KIB, deadline);
        assertNotSame(first, second);
        buffers.giveBack(second);
    }

    @Test
    void shouldKeepNoMoreThanItMay()
    {
        final RegisteredBuffer first = buffers.take(500 * KIB, deadline);
        final RegisteredBuffer second = buffers.take(500 * KIB, deadline);
        buffers.giveBack(first);
        buffers.giveBack(second);

        assertSame(first, buffers.take(500 * KIB, deadline));
        final RegisteredBuffer third = buffers.take(500 * KIB, deadline);
        assertNotSame(second, third);
        buffers.giveBack(third);
        buffers.discard(first);
    }

    @Test
    void shouldFreeWhatItKeepsToStayWithinItsBound()
    {
        final RegisteredBuffer first = buffers.take(600 * KIB, deadline);
        buffers.giveBack(first);
        final RegisteredBuffer second = buffers.take(700 * KIB, deadline);

        assertThrows(DeadlinePassedException.class, () -> buffers.take(600 * KIB, deadline(1)));
        buffers.giveBack(second);
    }

    @Test
    void shouldLendOneThatPassesTheBoundAlone()
    {
        final RegisteredBuffer huge = buffers.take(5000 * KIB, deadline);
        assertTrue(huge.length() >= 5000 * KIB);
        assertThrows(DeadlinePassedException.class, () -> buffers.take(1, deadline(1)));
        buffers.discard(huge);
    }

    @Test
    void shouldLetOthersGoOnWhileMemoryIsMade() throws Exception
    {
        final CountDownLatch isAllocating = new CountDownLatch(1);
        final CountDownLatch mayAllocate = new CountDownLatch(1);
        final Context slow = (Context)Proxy.newProxyInstance(
            Context.class.getClassLoader(), new Class<?>[]{Context.class}, (proxy, method, arguments) ->
            {
                if ("allocate".equals(method.getName()) && (long)arguments[0] > 200 * KIB)
                {
                    isAllocating.countDown();
                    assertTrue(mayAllocate.await(20, TimeUnit.SECONDS));
                }
                return method.invoke(context, arguments);
            });
        try (LargeBuffers shared = new LargeBuffers(slow, domain, HugePages.AUTO, 1024 * KIB, 800 * KIB))
        {
            final CompletableFuture<RegisteredBuffer> first =
                CompletableFuture.supplyAsync(() -> shared.take(600 * KIB, deadline));
            assertTrue(isAllocating.await(20, TimeUnit.SECONDS));

            shared.giveBack(shared.take(100 * KIB, deadline));
            assertFalse(first.isDone());
            // What is being made counts.
            assertThrows(DeadlinePassedException.class, () -> shared.take(960 * KIB, deadline(1)));

            mayAllocate.countDown();
            shared.giveBack(first.get(20, TimeUnit.SECONDS));
        }
    }

    @Test
    void shouldNotCountWhatCannotBeMade()
    {
        final Context full = (Context)Proxy.newProxyInstance(
            Context.class.getClassLoader(), new Class<?>[]{Context.class}, (proxy, method, arguments) ->
            {
                if ("allocate".equals(method.getName()) && (long)arguments[0] > 200 * KIB)
                {
                    throw new VerbsException("allocate", Errno.ENOMEM, "none left");
                }
                return method.invoke(context, arguments);
            });
        try (LargeBuffers shared = new LargeBuffers(full, domain, HugePages.AUTO, 1024 * KIB, 800 * KIB))
        {
            for (int i = 0; i < 3; i++)
            {
                assertThrows(VerbsException.class, () -> shared.take(1000 * KIB, deadline));
            }
            shared.giveBack(shared.take(100 * KIB, deadline));
        }
    }

    @Test
    void shouldWaitForOthersToGiveBack() throws Exception
    {
        final RegisteredBuffer first = buffers.take(1000 * KIB, deadline);
        final CompletableFuture<RegisteredBuffer> second =
            CompletableFuture.supplyAsync(() -> buffers.take(1000 * KIB, deadline));
        buffers.giveBack(first);

        assertEquals(1024 * KIB, second.get(20, TimeUnit.SECONDS).length());
        buffers.giveBack(second.get());
    }
}
