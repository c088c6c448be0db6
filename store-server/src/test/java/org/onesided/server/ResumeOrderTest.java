package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.verbs.Devices;

/**
 * A session is used over new queue pairs only when all of its former ones are destroyed: what was sent over those must
 * not be executed after what is sent over the new ones.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ResumeOrderTest
{
    private static final int SHARDS = 2;
    private static final byte[] VALUE = {1};

    private final FailingDevice device = new FailingDevice(Devices.find("shm"), Integer.MAX_VALUE);
    private final CountDownLatch released = new CountDownLatch(1);
    private final StoreServer server = StoreServer.start(
        new ServerOptions().listenPort(0).memory(8 << 20).shards(SHARDS).verbsDevice(device));

    @AfterEach
    void close()
    {
        released.countDown();
        server.close();
        assertEquals(0, device.openCount());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldNotWelcomeASessionBackBeforeItsQueuePairsAreDestroyed(final int slowShard) throws IOException
    {
        try (TestClient client = TestClient.connected(server);
            TestBootstrap resuming = new TestBootstrap(server.address()))
        {
            assertEquals(Status.OK, client.put("key", VALUE).status());
            holdClosesOf(slowShard);
            resuming.sendHello(Bootstrap.VERSION, "shm", "", client.welcome());
            assertTrue(client.bootstrap().goodbye().contains("resumed"));
            awaitOtherShards(slowShard);
            try (TestBootstrap another = new TestBootstrap(server.address()))
            {
                // By its answer the acceptor has done all that it was to do before.
                another.hello(null);
                assertTrue(resuming.isSilent(), "the session is welcome though a shard still has its queue pair");
            }

            released.countDown();
            assertTrue(resuming.welcome().isResumed());
        }
        try (TestClient resumed = TestClient.connected(server))
        {
            assertArrayEquals(VALUE, resumed.lookUp("key"));
        }
    }

    /** Lets one shard's thread wait before it destroys anything. */
    private void holdClosesOf(final int shard)
    {
        device.watch(new FailingDevice.Watcher()
        {
            @Override
            public void onCall(final String verb, final Object[] arguments)
            {
                if (verb.equals("close") && Thread.currentThread().getName().equals("store-shard-" + shard))
                {
                    awaitRelease();
                }
            }
        });
    }

    private void awaitRelease()
    {
        try
        {
            released.await();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    /** The others have destroyed their queue pairs, and told so, before the last answer: it takes one more round. */
    private void awaitOtherShards(final int slowShard) throws IOException
    {
        try (TestClient other = TestClient.connected(server))
        {
            int number = 0;
            while (other.shardOf("other-" + number) == slowShard)
            {
                number++;
            }
            for (int i = 0; i < 3; i++)
            {
                assertEquals(Status.OK, other.put("other-" + number, VALUE).status());
            }
        }
    }
}
