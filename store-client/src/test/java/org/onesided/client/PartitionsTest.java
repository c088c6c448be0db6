package org.onesided.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.bootstrap.HostAndPort;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.session.ClientConfiguration;
import org.onesided.client.session.ClientContext;
import org.onesided.client.session.ClientDevice;
import org.onesided.client.session.LifeLine;
import org.onesided.client.types.Waiting;
import org.onesided.verbs.DeviceChoice;
import org.onesided.verbs.HugePages;

@Timeout(120)
class PartitionsTest
{
    private static final byte[] KEY = {1};
    private static final long FAR_NS = TimeUnit.HOURS.toNanos(1);

    private final CountDownLatch begun = new CountDownLatch(1);

    private static Partitions partitions(final long deadlineNs, final LongFunction<ServerClient> opener)
    {
        return new Partitions(1, 5, "one,two", "one,two", deadlineNs, (shard, durationNs) -> opener.apply(durationNs));
    }

    private static StoreOperations operations(final Partitions partitions)
    {
        return partitions.operations(0, Operation.GET, partitions.deadlineNs());
    }

    private static StoreConnectException failed(final String reason)
    {
        return new StoreConnectException(reason, FailureContext.ofServer("one"), null);
    }

    /** Runs in a thread of its own. */
    private static <T> FutureTask<T> begin(final Callable<T> call, final Thread[] thread)
    {
        final FutureTask<T> task = new FutureTask<>(call);
        thread[0] = new Thread(task, "partitions-test");
        thread[0].start();
        return task;
    }

    private static void awaitWaiting(final Thread thread) throws InterruptedException
    {
        while (thread.getState() != Thread.State.TIMED_WAITING)
        {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    /** As a client that connects: an interrupt ends it, and stays. */
    private ServerClient openUntilInterrupted(final long durationNs)
    {
        begun.countDown();
        try
        {
            TimeUnit.NANOSECONDS.sleep(durationNs);
            throw failed("time is up");
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw failed("interrupted");
        }
    }

    @Test
    void shouldInterruptAThreadThatOpensAClientWhenItIsClosed() throws Exception
    {
        final Partitions partitions = partitions(FAR_NS, this::openUntilInterrupted);
        final FutureTask<Boolean> opener = begin(() ->
        {
            assertThrows(StoreClosedException.class, () -> operations(partitions));
            return Thread.currentThread().isInterrupted();
        }, new Thread[1]);
        begun.await();
        partitions.close();

        assertFalse(opener.get(), "the interrupt must not reach the application");
        assertThrows(StoreClosedException.class, () -> operations(partitions));
    }

    @Test
    void shouldEndThreadsThatWaitForTheOneThatOpensWhenItIsClosed() throws Exception
    {
        final Partitions partitions = partitions(FAR_NS, this::openUntilInterrupted);
        final FutureTask<StoreException> opener = begin(() -> assertThrows(
            StoreClosedException.class, () -> operations(partitions)), new Thread[1]);
        begun.await();
        final Thread[] waiter = new Thread[1];
        final FutureTask<StoreException> waiting = begin(() -> assertThrows(
            StoreClosedException.class, () -> operations(partitions)), waiter);
        awaitWaiting(waiter[0]);
        partitions.close();

        opener.get();
        waiting.get();
    }

    @Test
    void shouldKeepAnInterruptOfTheApplication()
    {
        final Partitions partitions = partitions(FAR_NS, this::openUntilInterrupted);
        Thread.currentThread().interrupt();
        assertThrows(StoreException.class, () -> operations(partitions));

        assertTrue(Thread.interrupted());
        partitions.close();
    }

    /** A name that is looked up, or a device that is opened, ends when it ends. */
    @Test
    void shouldNotWaitLongForAThreadThatDoesNotEnd() throws Exception
    {
        final CountDownLatch released = new CountDownLatch(1);
        final Partitions partitions = partitions(FAR_NS, (durationNs) ->
        {
            begun.countDown();
            boolean isReleased = false;
            while (!isReleased)
            {
                try
                {
                    released.await();
                    isReleased = true;
                }
                catch (final InterruptedException e)
                {
                    // As something that cannot be interrupted.
                }
            }
            throw failed("late");
        });
        final FutureTask<StoreException> opener = begin(() -> assertThrows(
            StoreClosedException.class, () -> operations(partitions)), new Thread[1]);
        begun.await();
        try
        {
            partitions.close(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50));
        }
        finally
        {
            released.countDown();
        }
        opener.get();
    }

    @Test
    void shouldOpenInTheTimeThatIsLeft() throws Exception
    {
        final long deadlineNs = TimeUnit.SECONDS.toNanos(100);
        final CompletableFuture<Long> given = new CompletableFuture<>();
        final CountDownLatch released = new CountDownLatch(1);
        final Partitions partitions = partitions(deadlineNs, (durationNs) ->
        {
            if (begun.getCount() > 0)
            {
                begun.countDown();
                await(released);
            }
            else
            {
                given.complete(durationNs);
            }
            throw failed("not there");
        });
        final FutureTask<StoreException> first = begin(() -> assertThrows(
            StoreConnectException.class, () -> operations(partitions)), new Thread[1]);
        begun.await();
        final Thread[] waiter = new Thread[1];
        final FutureTask<StoreException> second = begin(() -> assertThrows(
            StoreConnectException.class, () -> operations(partitions)), waiter);
        awaitWaiting(waiter[0]);
        TimeUnit.MILLISECONDS.sleep(50);
        released.countDown();
        first.get();
        second.get();

        assertTrue(given.get() <= deadlineNs - TimeUnit.MILLISECONDS.toNanos(50), "durationNs=" + given.get());
    }

    private static void await(final CountDownLatch latch)
    {
        try
        {
            latch.await();
        }
        catch (final InterruptedException e)
        {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldEndAnOperationWhoseTimeIsUpWhenTheClientIsOpen() throws Exception
    {
        withSilentServer((client) ->
        {
            final Partitions partitions = partitions(1, (durationNs) -> client);
            assertEquals("deadline passed while the partition was connected",
                assertThrows(StoreDeadlineException.class, () -> operations(partitions)).reason());
            // It is open from here on.
            assertEquals(client, operations(partitions));
            partitions.close();
        });
    }

    /** The client itself would wait for an hour. */
    @Test
    void shouldGiveTheOperationThatOpensTheClientTheRestOfItsTime() throws Exception
    {
        withSilentServer((client) ->
        {
            final Partitions partitions = partitions(TimeUnit.SECONDS.toNanos(2), (durationNs) -> client);
            assertThrows(StoreException.class, () -> operations(partitions).get(KEY));
            partitions.close();
        });
    }

    /** What is done with a client. */
    @FunctionalInterface
    private interface Use
    {
        void accept(ServerClient client);
    }

    /** Of a server that takes connections and says nothing. */
    private static void withSilentServer(final Use use) throws IOException
    {
        try (ServerSocketChannel listener =
            ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
        {
            final HostAndPort server =
                new HostAndPort("127.0.0.1", ((InetSocketAddress)listener.getLocalAddress()).getPort());
            final ClientConfiguration configuration = new ClientConfiguration(
                server.toString(), new byte[0], null, "shm", StoreClientBuilder.DEFAULT_CONNECTION, FAR_NS, 1, 0,
                HugePages.OFF, Waiting.SLEEPING, (before, now) -> { }, null);
            final DeviceChoice choice = new DeviceChoice("shm", configuration.connection(), true);
            try (ServerClient client = new ServerClient(new ClientContext(
                configuration, server, ClientDevice.open(choice, HugePages.OFF, 1), LifeLine.share())))
            {
                use.accept(client);
            }
        }
    }
}
