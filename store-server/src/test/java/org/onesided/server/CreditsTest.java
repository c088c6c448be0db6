package org.onesided.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.server.shard.RequestKind;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Devices;

/**
 * A client that sends more than its credits let it, to a shard that comes to nothing meanwhile: the shard's thread
 * finds no completions. The other shard's goes on.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CreditsTest
{
    private static final int SHARD = 0;
    private static final int OTHER_SHARD = 1;
    /** That the device {@code tcp} keeps of a queue pair's messages for which there is no receive. */
    private static final int KEPT_LENGTH = 256 << 10;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final CapturedLog log = new CapturedLog();
    private FailingDevice device;
    private StoreServer server;
    private TestClient bystander;
    private TestClient attacker;
    private String key;
    private String otherKey;

    private void start(final String name) throws IOException
    {
        device = new FailingDevice(Devices.find(name), Integer.MAX_VALUE);
        // These clients give no sign of life of their own, however long a test takes.
        server = StoreServer.start(new ServerOptions().listenHost("127.0.0.1").listenPort(0).memory(16 << 20).shards(2)
            .leaseNs(TimeUnit.MINUTES.toNanos(5)).verbsDevice(device));
        bystander = opened(TestClient.connected(server));
        attacker = opened(TestClient.connected(server));
        key = keyOf(SHARD);
        otherKey = keyOf(OTHER_SHARD);
        assertEquals(Status.OK, bystander.put(key, bytes("unharmed")).status());
        assertEquals(Status.OK, bystander.put(otherKey, bytes("unharmed")).status());
    }

    @AfterEach
    void close()
    {
        device.withholdFrom(null);
        try
        {
            CloseHelper.closeAll(opened);
            server.close();
            assertEquals(0, log.count("ERROR"), log.text());
            assertEquals(0, device.openCount());
        }
        finally
        {
            log.close();
        }
    }

    @Test
    void shouldLetTheSenderOverShmFailByItself() throws IOException
    {
        start("shm");
        stall();
        final int credits = attacker.welcome().credits();
        for (int i = 1; i <= credits; i++)
        {
            attacker.sendPut(SHARD, i, key, bytes("within"));
            assertEquals(0, attacker.failure());
        }
        attacker.sendPut(SHARD, credits + 1, key, bytes("beyond"));
        assertEquals(
            CompletionStatus.name(CompletionStatus.RNR_RETRY_EXC_ERR), CompletionStatus.name(attacker.failure()));
        assertOthersGoOn();
        goOn();
        // What the server had received it answers in vain.
        assertOnlyTheBystanderIsConnected();
        assertEquals(0, log.count("queue pair ended"), log.text());
        assertTrue(puts(SHARD) <= 1 + credits, "more was done than was received: puts=" + puts(SHARD));
        assertServes();
    }

    @Test
    void shouldKeepWhatFindsNoReceiveOverTcpUntilThereIsOne() throws IOException
    {
        start("tcp:127.0.0.1:0");
        stall();
        final int count = 2 * attacker.welcome().credits();
        for (int i = 1; i <= count; i++)
        {
            attacker.sendPut(SHARD, i, key, bytes("put " + i));
        }
        assertOthersGoOn();
        goOn();
        for (int i = 1; i <= count; i++)
        {
            assertEquals(Status.OK, TestClient.write(attacker.answer()).status());
        }
        assertEquals(1 + count, puts(SHARD));
        assertArrayEquals(bytes("put " + count), bystander.lookUp(key));
        assertEquals(2, server.sessionCount());
        assertServes();
    }

    @Test
    void shouldCutOffOverTcpWhomNoRoomIsLeftFor() throws IOException
    {
        start("tcp:127.0.0.1:0");
        stall();
        final int credits = attacker.welcome().credits();
        final int messageLength = attacker.welcome().messageLength();
        // What does not even begin to fit is one message more.
        final int count = credits + KEPT_LENGTH / messageLength + 1;
        for (int i = 0; i < count; i++)
        {
            attacker.post(SHARD, messageLength);
        }
        attacker.awaitFailure();
        assertOthersGoOn();
        assertCutOff();
        goOn();
        assertEquals(1, puts(SHARD));
        assertServes();
    }

    /** With a reason that client and log are told, while the shard is still behind. */
    private void assertCutOff() throws IOException
    {
        final String reason = "there is no receive, and no room for a message to wait for one: peer=";
        final String goodbye = attacker.bootstrap().goodbye();
        assertTrue(goodbye.contains(reason), goodbye);
        final String ended = "session ended: session=" + attacker.welcome().session() + " ";
        assertEquals(
            1, log.text().lines().filter((line) -> line.contains(ended) && line.contains(reason)).count(), log.text());
        assertOnlyTheBystanderIsConnected();
        assertEquals(1, server.metrics().deviceFaults().get("tcp").get("no_receive"));
    }

    private void stall()
    {
        device.withholdFrom("store-shard-" + SHARD);
    }

    private void goOn()
    {
        device.withholdFrom(null);
    }

    /** Lookups need no shard; changes do theirs alone. */
    private void assertOthersGoOn()
    {
        assertArrayEquals(bytes("unharmed"), bystander.lookUp(key));
        assertEquals(Status.OK, bystander.put(otherKey, bytes("meanwhile")).status());
        assertArrayEquals(bytes("meanwhile"), bystander.lookUp(otherKey));
    }

    private void assertServes()
    {
        assertEquals(Status.OK, bystander.put(key, bytes("afterwards")).status());
        assertArrayEquals(bytes("afterwards"), bystander.lookUp(key));
    }

    private void assertOnlyTheBystanderIsConnected()
    {
        Await.until("connections", () -> connections(SHARD) == 1 && connections(OTHER_SHARD) == 1);
    }

    private long connections(final int shard)
    {
        return server.metrics().shards().get(shard).connections().values().stream().mapToLong(Long::longValue).sum();
    }

    private long puts(final int shard)
    {
        return server.metrics().shards().get(shard).requests().get(RequestKind.PUT);
    }

    private String keyOf(final int shard)
    {
        int i = 0;
        while (bystander.shardOf("key" + i) != shard)
        {
            i++;
        }
        return "key" + i;
    }

    private static byte[] bytes(final String text)
    {
        return text.getBytes(UTF_8);
    }

    private <T extends AutoCloseable> T opened(final T resource)
    {
        opened.add(resource);
        return resource;
    }
}
