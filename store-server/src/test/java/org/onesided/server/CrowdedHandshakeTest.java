package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.verbs.Devices;

/** Clients for which the server takes long, while others wait for their turn. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CrowdedHandshakeTest
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(6);
    /** Longer than a client may keep others waiting, but not as long as a handshake may take. */
    private static final long SLOW_NS = TIMEOUT_NS / 3;

    private final FailingDevice device = new FailingDevice(Devices.find("shm"), Integer.MAX_VALUE);
    private StoreServer server;

    @BeforeEach
    void start()
    {
        server = StoreServer.start(new ServerOptions().listenPort(0).memory(8 << 20).shards(1).maxHandshakes(1)
            .handshakeTimeoutNs(TIMEOUT_NS).verbsDevice(device));
    }

    @AfterEach
    void close()
    {
        device.release();
        server.close();
    }

    @Test
    void shouldNotRefuseAClientForTheTimeThatTheServerTook() throws Exception
    {
        device.hold("createQueuePair");
        final FutureTask<Void> waiting = new FutureTask<>(this::waitBehind, null);
        new Thread(waiting, "waiting").start();
        try (TestClient client = TestClient.connected(server))
        {
            assertEquals(Status.OK, client.put("key", new byte[1]).status());
        }
        finally
        {
            device.release();
        }
        waiting.get();
        assertEquals(0, server.metrics().sessions().refusals().get("handshakes"));
    }

    /** Comes while queue pairs are made for another, and has them made late. */
    private void waitBehind()
    {
        while (device.heldCalls() == 0)
        {
            Thread.yield();
        }
        try (TestBootstrap next = new TestBootstrap(server.address()))
        {
            final long endNs = System.nanoTime() + SLOW_NS;
            while (System.nanoTime() - endNs < 0)
            {
                LockSupport.parkNanos(SLOW_NS / 10);
            }
            device.release();
            next.hello(null);
        }
        catch (final IOException e)
        {
            throw new AssertionError(e);
        }
    }
}
