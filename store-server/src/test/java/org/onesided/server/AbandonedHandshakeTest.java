package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.codec.RefusalCode;
import org.onesided.verbs.Devices;

/** Clients that ask for queue pairs, which a slow device makes, and do not wait for them. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AbandonedHandshakeTest
{
    private static final int MAX_SESSIONS = 12;
    /** For so many clients the server has queue pairs made at a time. */
    private static final int AT_A_TIME = 4;
    private static final String SLOW_VERB = "createQueuePair";

    private final FailingDevice device = new FailingDevice(Devices.find("shm"), Integer.MAX_VALUE);
    private StoreServer server;

    @BeforeEach
    void start()
    {
        server = StoreServer.start(new ServerOptions().listenPort(0).memory(8 << 20).shards(1)
            .maxSessions(MAX_SESSIONS).handshakeTimeoutNs(TimeUnit.MINUTES.toNanos(1)).verbsDevice(device));
    }

    @AfterEach
    void close()
    {
        device.release();
        server.close();
        assertEquals(0, device.openCount());
    }

    @Test
    void shouldKeepTheirPlacesUntilItIsDoneWithThem() throws IOException
    {
        final int open = device.openCount();
        device.hold(SLOW_VERB);
        leave(MAX_SESSIONS);
        try (TestBootstrap another = new TestBootstrap(server.address()))
        {
            another.sendHello(Bootstrap.VERSION, "shm", "", null);
            assertEquals(RefusalCode.CAPACITY, another.refusal().code());
        }
        final int begun = device.heldCalls();
        assertTrue(begun > 0 && begun < MAX_SESSIONS, "begun=" + begun);

        device.release();
        awaitNoSessions();
        assertEquals(open, device.openCount());
        try (TestClient client = TestClient.connected(server))
        {
            client.put("key", new byte[1]);
            // Those that were not begun were never made.
            assertEquals(begun, device.heldCalls());
            client.bootstrap().sayGoodbye();
        }
    }

    @Test
    void shouldLetThemResumeTheirSessionsMeanwhile() throws IOException, InterruptedException
    {
        final TestBootstrap.Welcome welcome;
        try (TestClient client = TestClient.connected(server))
        {
            welcome = client.welcome();
            client.put("key", new byte[1]);
        }
        device.hold(SLOW_VERB);
        try (TestBootstrap hasty = new TestBootstrap(server.address()))
        {
            assertEquals(welcome.session(), hasty.hello(welcome).session());
            hasty.connectToNowhere();
            while (device.heldCalls() == 0)
            {
                Thread.yield();
            }
        }
        final Thread releasing = new Thread(this::releaseSoon, "release");
        releasing.start();
        try (TestClient resumed = TestClient.connected(server, welcome))
        {
            assertTrue(resumed.welcome().isResumed());
            assertNotEquals(0, resumed.lookUp("key").length);
            resumed.bootstrap().sayGoodbye();
        }
        releasing.join();
        awaitNoSessions();
    }

    @Test
    void shouldNotWelcomeASessionBackWhileQueuePairsAreMadeForIt() throws IOException
    {
        final TestBootstrap.Welcome welcome;
        try (TestClient client = TestClient.connected(server))
        {
            welcome = client.welcome();
        }
        device.hold(SLOW_VERB);
        try (TestBootstrap hasty = new TestBootstrap(server.address());
            TestBootstrap resuming = new TestBootstrap(server.address()))
        {
            assertEquals(welcome.session(), hasty.hello(welcome).session());
            hasty.connectToNowhere();
            while (device.heldCalls() == 0)
            {
                Thread.yield();
            }
            resuming.sendHello(Bootstrap.VERSION, "shm", "", welcome);
            assertTrue(hasty.goodbye().contains("resumed"));
            try (TestBootstrap another = new TestBootstrap(server.address()))
            {
                // By its answer the acceptor has done all that it was to do before.
                another.hello(null);
                assertTrue(resuming.isSilent(), "the session is welcome though queue pairs are made for it");
            }
            device.release();
            assertTrue(resuming.welcome().isResumed());
            resuming.sayGoodbye();
        }
        awaitNoSessions();
    }

    /** Most likely when the next client waits already. */
    private void releaseSoon()
    {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
        device.release();
    }

    /** Each is sent away by what it says next, which the server reads when it has heard the rest. */
    private void leave(final int clients) throws IOException
    {
        for (int i = 0; i < clients; i++)
        {
            try (TestBootstrap hasty = new TestBootstrap(server.address()))
            {
                hasty.hello(null);
                hasty.connectToNowhere();
                // One that left before its turn came would not be begun, and its place be free.
                while (i < AT_A_TIME && device.heldCalls() <= i)
                {
                    Thread.yield();
                }
                hasty.connectToNowhere();
                assertEquals(RefusalCode.PROTOCOL, hasty.refusal().code());
            }
        }
    }

    private void awaitNoSessions()
    {
        while (server.sessionCount() != 0)
        {
            Thread.yield();
        }
    }
}
