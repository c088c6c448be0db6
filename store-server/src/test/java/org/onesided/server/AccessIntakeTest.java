package org.onesided.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.protocol.bootstrap.AccessWord;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.server.eviction.Eviction;
import org.onesided.server.session.SessionMetrics;

/** What a server takes of the lookups that clients report, whatever they report. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AccessIntakeTest
{
    private StoreServer server;
    private TestClient client;

    @AfterEach
    void close()
    {
        client.close();
        server.close();
    }

    private void start(final Eviction eviction) throws IOException
    {
        server = StoreServer.start(new ServerOptions().listenHost("127.0.0.1").listenPort(0).device("shm").shards(1)
            .memory(4 << 20).evict(eviction));
        client = TestClient.connected(server);
    }

    private SessionMetrics metrics()
    {
        return server.metrics().sessions();
    }

    private void awaitReports(final long count) throws InterruptedException
    {
        while (metrics().sampled() + metrics().unsampled() < count)
        {
            Thread.sleep(1);
        }
    }

    private void assertServes()
    {
        assertEquals(Status.OK, client.put("key", "value".getBytes(UTF_8)).status());
        assertArrayEquals("value".getBytes(UTF_8), client.lookUp("key"));
    }

    @Test
    void shouldTakeWhatWasLookedUp() throws IOException, InterruptedException
    {
        start(Eviction.DENSITY);
        client.bootstrap().accesses(0, new byte[3 * AccessWord.LENGTH]);
        awaitReports(3);
        assertEquals(3, metrics().sampled());
        assertServes();
    }

    @Test
    void shouldPassOverHashesOfNoShardAndBytesThatAreNoHash() throws IOException, InterruptedException
    {
        start(Eviction.DENSITY);
        final byte[] bytes = new byte[100 * AccessWord.LENGTH + 3];
        new Random(1).nextBytes(bytes);
        client.bootstrap().accesses(1, bytes);
        client.bootstrap().accesses(0xFFFF - 1, bytes);
        client.bootstrap().accesses(0, bytes);
        client.bootstrap().accesses(0, new byte[3]);
        client.bootstrap().accesses(0, new byte[0]);
        awaitReports(300);
        assertEquals(100, metrics().sampled());
        assertEquals(200, metrics().unsampled());
        assertServes();
    }

    @Test
    void shouldCutDownAClientThatReportsTooMany() throws IOException, InterruptedException
    {
        start(Eviction.DENSITY);
        final int messages = 50;
        final long beginNs = System.nanoTime();
        for (int i = 0; i < messages; i++)
        {
            client.bootstrap().accesses(0, new byte[AccessWord.MAX_COUNT * AccessWord.LENGTH]);
        }
        awaitReports((long)messages * AccessWord.MAX_COUNT);
        final double seconds = (System.nanoTime() - beginNs) / 1e9;
        assertTrue(metrics().sampled() <= 2 * AccessWord.MAX_COUNT + seconds * 1.25 * AccessWord.MAX_RATE + 1,
            "sampled=" + metrics().sampled() + " seconds=" + seconds);
        assertTrue(metrics().unsampled() > 0);
        assertServes();
    }

    @Test
    void shouldEndASessionThatReportsToAServerThatDoesNotAsk() throws IOException
    {
        start(Eviction.NONE);
        client.bootstrap().accesses(0, new byte[AccessWord.LENGTH]);
        final String goodbye = client.bootstrap().goodbye();
        assertTrue(goodbye.contains("not asked for"), goodbye);
    }
}
