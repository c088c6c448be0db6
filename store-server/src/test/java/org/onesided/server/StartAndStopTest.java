package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.protocol.bootstrap.Token;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.verbs.Devices;
import org.onesided.verbs.Errno;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.VerbsException;

@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StartAndStopTest
{
    private static final String BASE_PROPERTY = "onesided.shm.dir";

    @TempDir
    Path sharedMemory;

    @BeforeEach
    void useOwnSharedMemory()
    {
        System.setProperty(BASE_PROPERTY, sharedMemory.toString());
    }

    @AfterEach
    void useCommonSharedMemory()
    {
        System.clearProperty(BASE_PROPERTY);
    }

    @Test
    void shouldLeaveNoThreadsAndNoFiles() throws IOException
    {
        final Set<Path> files = sharedFiles();
        assertEquals(Set.of(), files);
        final StoreServer server = StoreServer.start(options().shards(3));
        assertTrue(threads().containsAll(
            List.of("store-acceptor", "store-shard-0", "store-shard-1", "store-shard-2")), threads().toString());
        final TestClient staying = TestClient.connected(server);
        staying.put("key", new byte[10]);
        try (TestClient leaving = TestClient.connected(server))
        {
            leaving.get("key");
        }

        server.close();
        server.close();
        assertTrue(staying.bootstrap().goodbye().contains("stop"));
        staying.close();
        assertFalse(threads().stream().anyMatch((name) -> name.startsWith("store-")), threads().toString());
        assertEquals(files, sharedFiles());
    }

    @Test
    void shouldRefuseNewSessionsAfterClose() throws IOException
    {
        final StoreServer server = StoreServer.start(options());
        server.close();
        assertThrows(IOException.class, () -> TestClient.connected(server));
    }

    @Test
    void shouldListenBeyondLoopbackWithATokenOnly() throws IOException
    {
        final IllegalArgumentException refused = assertThrows(
            IllegalArgumentException.class, () -> StoreServer.start(options().listenHost("0.0.0.0")));
        assertTrue(refused.getMessage().contains("--token-file"), refused.getMessage());
        try (StoreServer server = StoreServer.start(options().listenHost("0.0.0.0").token(Token.of("secret"))))
        {
            assertTrue(server.address().getPort() > 0);
        }
    }

    @Test
    void shouldSayWhyItCannotListen() throws IOException
    {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1")))
        {
            final ServerException refused = assertThrows(
                ServerException.class, () -> StoreServer.start(options().listenPort(taken.getLocalPort())));
            assertTrue(refused.getMessage().contains(":" + taken.getLocalPort()), refused.getMessage());
        }
        assertThrows(ServerException.class, () -> StoreServer.start(options().listenHost("no-such-host.invalid")));
        assertFalse(threads().stream().anyMatch((name) -> name.startsWith("store-")), threads().toString());
    }

    @Test
    void shouldRefuseMoreMemoryThanTheMachineHas()
    {
        final ServerException refused = assertThrows(
            ServerException.class, () -> StoreServer.start(options().memory(1L << 50)));
        assertTrue(refused.getMessage().contains("memory="), refused.getMessage());
    }

    @Test
    void shouldRefuseOptionsThatAreOutOfRange()
    {
        for (final ServerOptions options : List.of(
            options().shards(0), options().shards(65), options().memory(1000), options().memory(-1),
            options().credits(0), options().credits(100_000), options().messageLength(4096),
            options().messageLength(8193), options().maxSessions(0), options().leaseNs(1), options().listenPort(-1),
            options().listenPort(65536), options().pullLimit(0), options().spinNs(-1)))
        {
            assertThrows(IllegalArgumentException.class, () -> StoreServer.start(options));
        }
        final VerbsException unknown = assertThrows(
            VerbsException.class, () -> StoreServer.start(options().device("carrier-pigeon")));
        assertTrue(unknown.getMessage().contains("carrier-pigeon"), unknown.getMessage());
    }

    @Test
    void shouldCloseWhatItOpenedWhicheverStepFails() throws IOException
    {
        final Set<Path> files = sharedFiles();
        int step = 0;
        boolean hasFailed = true;
        while (hasFailed)
        {
            final FailingDevice device = new FailingDevice(Devices.find("shm"), step);
            try (StoreServer server = StoreServer.start(
                options().shards(2).memoryInitial(8 << 20).verbsDevice(device)))
            {
                hasFailed = false;
                assertEquals(2, server.shardCount());
            }
            catch (final VerbsException e)
            {
                assertTrue(e.getMessage().contains("step " + step), e.getMessage());
                step++;
            }
            assertEquals(0, device.openCount(), "step=" + step);
            assertEquals(files, sharedFiles());
            assertFalse(threads().stream().anyMatch((name) -> name.startsWith("store-")), threads().toString());
        }
        assertTrue(step > 8, "steps=" + step);
    }

    @Test
    void shouldStartWithLessMemoryUnlessSoMuchWasAskedFor() throws IOException
    {
        final FailingDevice device = new FailingDevice(Devices.find("shm"), Integer.MAX_VALUE);
        device.watch(new FailingDevice.Watcher()
        {
            @Override
            public void onCall(final String verb, final Object[] arguments)
            {
                if ("commit".equals(verb) && (long)arguments[1] > 2 << 20)
                {
                    throw new VerbsException("fallocate", Errno.ENOSPC, "of the test");
                }
            }
        });
        try (StoreServer server = StoreServer.start(options().memory(64 << 20).shards(1).verbsDevice(device));
            TestClient client = TestClient.connected(server))
        {
            assertEquals(Status.OK, client.put("key", new byte[1]).status());
            assertTrue(server.metrics().memory().committed() < 4 << 20);
        }
        assertEquals(0, device.openCount());
        final ServerOptions given = options().memory(64 << 20).shards(1).memoryInitial(32 << 20).verbsDevice(device);
        assertEquals(Errno.ENOSPC, assertThrows(VerbsException.class, () -> StoreServer.start(given)).errno());
        assertEquals(0, device.openCount());
    }

    @Test
    void shouldSurviveASessionThatTheDeviceHasNoRoomFor() throws IOException
    {
        int step = 0;
        boolean hasFailed = true;
        final FailingDevice device = new FailingDevice(Devices.find("shm"), Integer.MAX_VALUE);
        try (StoreServer server = StoreServer.start(options().shards(2).verbsDevice(device)))
        {
            final int open = device.openCount();
            while (hasFailed)
            {
                device.failAfter(step);
                try (TestClient client = TestClient.connected(server))
                {
                    hasFailed = false;
                    assertEquals(Status.OK, client.put("key", new byte[1]).status());
                    client.bootstrap().sayGoodbye();
                }
                catch (final IOException e)
                {
                    assertTrue(e.getMessage().contains("CAPACITY"), e.getMessage());
                    assertTrue(e.getMessage().contains("step " + step), e.getMessage());
                    step++;
                }
                while (server.sessionCount() != 0)
                {
                    Thread.yield();
                }
                assertEquals(open, device.openCount(), "step=" + step);
            }
            assertTrue(step > 4, "steps=" + step);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {QueuePair.class, MemoryRegion.class})
    void shouldEndASessionThatTheDeviceFailsToDestroy(final Class<?> type) throws IOException
    {
        final FailingDevice device = new FailingDevice(Devices.find("shm"), Integer.MAX_VALUE);
        try (StoreServer server = StoreServer.start(options().memory(128 << 20).verbsDevice(device)))
        {
            final int open = device.openCount();
            device.failToDestroy(type);
            try (TestClient client = TestClient.connected(server))
            {
                final MemoryRegion large = client.lend(new byte[48 << 20]);
                client.sendPutLarge(0, 1, "large", large.range().address(), 48 << 20, large.remoteKey());
                client.bootstrap().sayGoodbye();
                while (server.sessionCount() != 0)
                {
                    Thread.yield();
                }
            }
            assertEquals(open, device.openCount());
        }
        assertEquals(0, device.openCount());
    }

    @Test
    void shouldStopAsAWholeWhenAThreadEnds() throws InterruptedException
    {
        final CountDownLatch failed = new CountDownLatch(1);
        final FailingDevice device = new FailingDevice(Devices.find("shm"), Integer.MAX_VALUE);
        device.failFatally("poll");
        try (StoreServer server = StoreServer.start(
            options().shards(2).verbsDevice(device).onFailure(failed::countDown)))
        {
            failed.await();
            assertEquals("fatal poll", server.failure().getMessage());
            assertFalse(server.isServing());
            // A thread that only begins is in no list of threads.
            while (device.openCount() != 0 || threads().stream().anyMatch((name) -> name.startsWith("store-")))
            {
                Thread.yield();
            }
        }
    }

    // Measures processor time: a machine with much to do makes waking up dearer.
    @Tag("timing")
    @Tag("full")
    @Test
    void shouldSleepWhenIdleWithEightSessions() throws IOException, InterruptedException
    {
        final List<TestClient> clients = new ArrayList<>();
        try (StoreServer server = StoreServer.start(options().shards(2)))
        {
            for (int i = 0; i < 8; i++)
            {
                clients.add(TestClient.connected(server));
                clients.get(i).put("key" + i, new byte[100]);
            }
            TimeUnit.MILLISECONDS.sleep(200);
            final long beforeNs = serverCpuNs();
            TimeUnit.SECONDS.sleep(3);
            final long usedNs = serverCpuNs() - beforeNs;
            assertTrue(usedNs < TimeUnit.MILLISECONDS.toNanos(30), "used in 3 s: " + usedNs + " ns");
            CloseHelper.closeAll(clients);
        }
    }

    private static long serverCpuNs()
    {
        final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return Thread.getAllStackTraces().keySet().stream()
            .filter((thread) -> thread.getName().startsWith("store-"))
            .mapToLong((thread) -> threads.getThreadCpuTime(thread.getId()))
            .sum();
    }

    private static Set<String> threads()
    {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).collect(Collectors.toSet());
    }

    private Set<Path> sharedFiles() throws IOException
    {
        try (Stream<Path> files = Files.list(sharedMemory))
        {
            return files.collect(Collectors.toSet());
        }
    }

    private static ServerOptions options()
    {
        return new ServerOptions().listenPort(0).memory(16 << 20);
    }
}
