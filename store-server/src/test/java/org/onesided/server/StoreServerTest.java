package org.onesided.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.protocol.rpc.codec.StatAnswerDecoder;
import org.onesided.protocol.rpc.codec.Status;

@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StoreServerTest
{
    private StoreServer server;
    private TestClient client;

    @AfterEach
    void close()
    {
        if (client != null)
        {
            client.close();
        }
        if (server != null)
        {
            server.close();
        }
    }

    @Test
    void shouldLetAValueThatWasPutBeRead() throws IOException
    {
        start(new ServerOptions());
        assertNull(client.lookUp("key"));
        assertEquals(Status.OK, client.put("key", bytes("value")).status());
        assertArrayEquals(bytes("value"), client.lookUp("key"));
        assertEquals(Status.OK, client.put("key", bytes("another value, a longer one than before")).status());
        assertArrayEquals(bytes("another value, a longer one than before"), client.lookUp("key"));
        assertEquals(Status.OK, client.delete("key").status());
        assertNull(client.lookUp("key"));
        assertEquals(Status.NOT_FOUND, client.delete("key").status());
    }

    @Test
    void shouldAnswerAGet() throws IOException
    {
        start(new ServerOptions());
        assertEquals(Status.NOT_FOUND, client.get("key").status());
        client.put("key", bytes("value"));
        client.put("empty", new byte[0]);
        assertArrayEquals(bytes("value"), client.get("key").value());
        assertEquals(Status.OK, client.get("empty").status());
        assertEquals(0, client.get("empty").length());
    }

    @Test
    void shouldKeepShardsApart() throws IOException
    {
        start(new ServerOptions().shards(3));
        for (int i = 0; i < 300; i++)
        {
            assertEquals(Status.OK, client.put("key" + i, bytes("value" + i)).status());
        }
        long records = 0;
        for (int shard = 0; shard < 3; shard++)
        {
            final StatAnswerDecoder stat = client.stat(shard);
            assertTrue(stat.records() > 0);
            assertEquals(1, stat.sessions());
            records += stat.records();
        }
        assertEquals(300, records);
        for (int i = 0; i < 300; i++)
        {
            assertArrayEquals(bytes("value" + i), client.lookUp("key" + i));
        }
    }

    @Test
    void shouldServeAsManyRequestsAtATimeAsThereAreCredits() throws IOException
    {
        start(new ServerOptions().credits(5));
        final int credits = client.welcome().credits();
        assertEquals(5, credits);
        final int count = 1000;
        for (int i = 1; i <= count; i++)
        {
            client.sendPut(0, i, "key", bytes("value" + i));
            if (i >= credits)
            {
                assertEquals(Status.OK, TestClient.write(client.answer()).status());
            }
        }
        for (int i = 1; i < credits; i++)
        {
            assertEquals(Status.OK, TestClient.write(client.answer()).status());
        }
        assertArrayEquals(bytes("value" + count), client.lookUp("key"));
    }

    @Test
    void shouldPullALargeValue() throws IOException
    {
        start(new ServerOptions().memory(256L << 20));
        final byte[] value = new byte[64 << 20];
        new Random(1).nextBytes(value);
        assertEquals(Status.OK, client.putLarge("large", value).status());
        assertArrayEquals(value, client.lookUp("large"));
        assertEquals(value.length, client.stat(0).bytesPulled());
    }

    @Test
    void shouldLendALargeValueUntilItIsReleased() throws IOException
    {
        start(new ServerOptions());
        final byte[] value = new byte[100_000];
        new Random(2).nextBytes(value);
        client.putLarge("large", value);
        final TestClient.Got got = client.get("large");
        assertEquals(Status.OK, got.status());
        assertEquals(value.length, got.length());

        client.delete("large");
        assertArrayEquals(value, client.readBytes(got.extent(), value.length));
        assertEquals(Status.OK, client.release(0, got.extent()));
        assertEquals(Status.NOT_FOUND, client.release(0, got.extent()));
    }

    private void start(final ServerOptions options) throws IOException
    {
        server = StoreServer.start(options.listenPort(0));
        client = TestClient.connected(server);
    }

    private static byte[] bytes(final String text)
    {
        return text.getBytes(UTF_8);
    }
}
