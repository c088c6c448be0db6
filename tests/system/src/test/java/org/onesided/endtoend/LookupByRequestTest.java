package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.read.SessionProbe;
import org.onesided.client.types.ShardStatistics;

/**
 * Lookups that ask the server, as READs seldom make them do: short values come in the answer, long ones are lent.
 */
@Timeout(300)
class LookupByRequestTest
{
    private static final int LENT = 9_000;
    /** More than a session may have lent to it at a time. */
    private static final int MANY = 200;

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldGiveWhatWasPutWhateverItsLength(final String device)
    {
        try (TestStore store = new TestStore(device);
            StoreClient client = store.client();
            StoreSession session = client.openSession())
        {
            final SessionProbe probe = new SessionProbe(session);
            probe.askFirst(true);
            assertNull(session.get(TestStore.bytes("absent")));
            long asked = 1;
            for (final int length : new int[]{0, 1, 100, 4_096, 8_000, 8_192, LENT, 40_000, 300_000, 3_000_000})
            {
                final byte[] key = TestStore.bytes("key-" + length);
                final byte[] value = TestStore.randomBytes(length, length);
                session.put(key, value);
                final long version = probe.writeVersion();

                assertArrayEquals(value, session.get(key));
                assertEquals(++asked, probe.requests());
                if (length <= LENT)
                {
                    assertEquals(version, probe.askedVersion(length));
                }
            }
            assertEquals(0, session.clientStatistics().reconnects());
        }
    }

    /** What is lent stays in memory until it is given back, and a session may have only so much. */
    @Test
    void shouldGiveBackWhatWasLent()
    {
        try (TestStore store = new TestStore(TestStore.options().shards(1));
            StoreClient client = store.client();
            StoreSession session = client.openSession())
        {
            final SessionProbe probe = new SessionProbe(session);
            final long used = heapBytesUsed(session);
            probe.askFirst(true);
            for (int i = 1; i <= MANY; i++)
            {
                final byte[] value = TestStore.randomBytes(LENT, i);
                session.put(TestStore.bytes("key"), value);
                assertArrayEquals(value, session.get(TestStore.bytes("key")));
                assertEquals(i, probe.requests());
            }
            session.delete(TestStore.bytes("key"));

            assertEquals(used, heapBytesUsed(session));
            assertEquals(0, session.statistics().stream().mapToLong(ShardStatistics::refused).sum());
            assertEquals(0, session.clientStatistics().reconnects());
        }
    }

    /** As if the server lent the wrong place, or wrote there meanwhile. */
    @Test
    void shouldNotBelieveBytesThatTheServerDidNotTellOf()
    {
        try (TestStore store = new TestStore(TestStore.options().shards(1));
            StoreClient client = store.clientBuilder().deadline(Duration.ofSeconds(2)).build();
            StoreSession session = client.openSession())
        {
            final SessionProbe probe = new SessionProbe(session);
            probe.askFirst(true);
            final byte[] key = TestStore.bytes("key-of-8");
            final byte[] value = TestStore.randomBytes(LENT, 7);
            session.put(key, value);
            assertArrayEquals(value, session.get(key));

            final long last = probe.regionAddress() + placeOf(value, probe) + LENT - 1;
            UnsafeApi.putByte(last, (byte)~value[LENT - 1]);
            // It connects anew each time, and asks again until its time is up.
            final long before = session.clientStatistics().reconnects();
            final StoreException wrong = assertThrows(StoreException.class, () -> session.get(key));
            assertTrue(session.clientStatistics().reconnects() > before, wrong.getMessage());

            UnsafeApi.putByte(last, value[LENT - 1]);
            assertArrayEquals(value, session.get(key));
        }
    }

    /** Table offset of a value in the one shard's heap; this server is in this process. */
    private static long placeOf(final byte[] value, final SessionProbe probe)
    {
        final long first = new UnsafeBuffer(value).getLong(0);
        long at = probe.superblock().shards().get(0).heap();
        while (UnsafeApi.getLong(probe.regionAddress() + at) != first)
        {
            at += Long.BYTES;
        }
        return at;
    }

    private static long heapBytesUsed(final StoreSession session)
    {
        return session.statistics().stream().mapToLong(ShardStatistics::heapBytesUsed).sum();
    }
}
