package org.onesided.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.protocol.rpc.codec.Status;

/** What was put is nowhere in the region once it was overwritten or deleted: whoever may READ may READ all of it. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FreedMemoryTest
{
    private static final int SCANNED_AT_ONCE = 1 << 20;

    private StoreServer server;
    private TestClient client;

    @BeforeEach
    void start() throws IOException
    {
        server = StoreServer.start(new ServerOptions().listenPort(0).memory(8 << 20).shards(1).device("shm"));
        client = TestClient.connected(server);
    }

    @AfterEach
    void close()
    {
        client.close();
        server.close();
    }

    @Test
    void shouldLeaveNothingOfAValueThatWasOverwrittenInItsPlace()
    {
        put("key", value("first", 100));
        put("key", value("second", 81));
        assertGone("first");
        assertThere("second");
    }

    @Test
    void shouldLeaveNothingOfAValueThatWasReplacedElsewhere()
    {
        put("key", value("first", 100));
        put("key", value("second", 3000));
        assertGone("first");
        put("key", value("third", 10));
        assertGone("second");
        assertThere("third");
    }

    @Test
    void shouldLeaveNothingOfAKeyThatWasDeleted()
    {
        put("key-of-somebody", value("first", 1000));
        assertThere("key-of-somebody");
        assertEquals(Status.OK, client.delete("key-of-somebody").status());
        assertGone("first");
        assertGone("key-of-somebody");
    }

    @Test
    void shouldLeaveNothingOfAValueThatWasPulled()
    {
        assertEquals(Status.OK, client.putLarge("key", value("first", 300_000)).status());
        assertThere("first");
        assertEquals(Status.OK, client.putLarge("key", value("second", 500_000)).status());
        assertGone("first");
        assertEquals(Status.OK, client.delete("key").status());
        assertGone("second");
    }

    @Test
    void shouldLeaveNothingOfAnAnswerThatWasGivenBack()
    {
        assertEquals(Status.OK, client.putLarge("key", value("first", 300_000)).status());
        final TestClient.Got whole = client.get("key");
        assertEquals(Status.OK, client.delete("key").status());
        assertThere("first");
        assertEquals(Status.OK, client.release(0, whole.extent()));
        assertGone("first");

        put("short", value("second", 7900));
        final TestClient.Got copied = client.get("short");
        assertTrue(copied.extent() != 0 || copied.value().length == 7900);
        assertEquals(Status.OK, client.delete("short").status());
        if (copied.value().length == 0)
        {
            assertEquals(Status.OK, client.release(0, copied.extent()));
        }
        assertGone("second");
    }

    @Test
    void shouldLeaveNothingOfAnAnswerWhoseClientIsGone() throws IOException
    {
        assertEquals(Status.OK, client.putLarge("key", value("first", 300_000)).status());
        try (TestClient leaving = TestClient.connected(server))
        {
            assertTrue(leaving.get("key").extent() != 0);
            assertEquals(Status.OK, client.delete("key").status());
            assertThere("first");
            leaving.bootstrap().sayGoodbye();
        }
        assertGone("first");
    }

    private void put(final String key, final byte[] value)
    {
        assertEquals(Status.OK, client.put(key, value).status());
    }

    /** The text over and over. */
    private static byte[] value(final String text, final int length)
    {
        return Arrays.copyOf((text + "-value.").repeat(length / text.length() + 1).getBytes(US_ASCII), length);
    }

    private void assertThere(final String text)
    {
        assertTrue(isThere(text), text);
    }

    /** Long records are zeroed in steps, after the answer. */
    private void assertGone(final String text)
    {
        while (isThere(text))
        {
            Thread.yield();
        }
    }

    private boolean isThere(final String text)
    {
        // A part of it would do as much harm: of values, any four bytes are there many times over.
        final String sought = text.substring(0, 4);
        for (final TestSegments.Segment segment : client.segments())
        {
            for (long at = 0; at < segment.length(); at += SCANNED_AT_ONCE)
            {
                final int count = (int)Math.min(SCANNED_AT_ONCE, segment.length() - at);
                if (new String(client.readBytes(segment.start() + at, count), US_ASCII).contains(sought))
                {
                    return true;
                }
            }
        }
        return false;
    }
}
