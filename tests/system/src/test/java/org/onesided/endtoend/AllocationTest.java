package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.openhft.chronicle.bytes.Bytes;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.AsyncListener;
import org.onesided.client.AsyncSession;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreOperations;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.MutableVersion;
import org.onesided.client.types.ValueConsumer;
import org.onesided.client.types.Waiting;
import org.onesided.testing.Allocated;

/**
 * Operations on the caller's own buffers allocate nothing, once what they run through is compiled and the mirror full:
 * neither here nor in the server's shards, which are of this process, nor in the device's own threads.
 */
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"shm", "tcp"})
class AllocationTest
{
    private static final int KEYS = 100;
    private static final int LOOKUPS = 4000;
    /** Over a network each takes longer, and more of its code is the system's. */
    private static final int REMOTE_LOOKUPS = LOOKUPS / 8;
    private static final int WRITES = 500;
    private static final int FEW = 50;
    private static final int KEY_LENGTH = 8;
    private static final int VALUE_LENGTH = 9;

    private final String kind;
    private final TestStore store;
    private final StoreClient client;
    private final StoreSession session;

    private final UnsafeBuffer key = new UnsafeBuffer(new byte[KEY_LENGTH]);
    private final UnsafeBuffer value = new UnsafeBuffer(ByteBuffer.allocateDirect(4096));

    AllocationTest(final String kind)
    {
        this.kind = kind;
        store = new TestStore(kind);
        client = store.client();
        session = client.openSession();
    }

    @AfterEach
    void stop()
    {
        session.close();
        client.close();
        store.close();
    }

    private void fill()
    {
        for (int i = 0; i < KEYS; i++)
        {
            session.put(name(i), "value-" + i % 10 + "..");
        }
        session.warmUp();
    }

    private static String name(final int number)
    {
        return String.format("key-%04d", number);
    }

    private UnsafeBuffer key(final int number)
    {
        key.putStringWithoutLengthAscii(0, "key-");
        key.putNaturalPaddedIntAscii(4, 4, number);
        return key;
    }

    private static void assertAllocatesNothing(final int count, final Runnable operation)
    {
        assertEquals(0, Allocated.leastBytes(() ->
        {
            for (int i = 0; i < count; i++)
            {
                operation.run();
            }
        }));
    }

    private void assertLookupsAllocateNothing(final StoreOperations operations)
    {
        fill();
        final int[] next = new int[1];
        final MutableVersion version = new MutableVersion();
        final int lookups = kind.equals("tcp") ? REMOTE_LOOKUPS : LOOKUPS;
        assertAllocatesNothing(lookups, () ->
        {
            key(next[0]++ % KEYS);
            assertEquals(VALUE_LENGTH, operations.get(key, 0, KEY_LENGTH, value, 0));
            assertEquals(VALUE_LENGTH, operations.getVersioned(key, 0, KEY_LENGTH, value, 0, version));
            assertNotEquals(0, version.number());
            assertTrue(operations.contains(key, 0, KEY_LENGTH));
            key(KEYS + next[0] % KEYS);
            assertEquals(-1, operations.get(key, 0, KEY_LENGTH, value, 0));
            assertFalse(operations.contains(key, 0, KEY_LENGTH));
        });

        final ByteBuffer nioKey = ByteBuffer.wrap(TestStore.bytes(name(17)));
        final ByteBuffer nioValue = ByteBuffer.allocateDirect(64);
        assertAllocatesNothing(lookups, () ->
        {
            assertEquals(VALUE_LENGTH, operations.get(nioKey, nioValue.clear()));
            assertTrue(operations.contains(nioKey));
        });

        final Bytes<?> bytesKey = Bytes.allocateElasticDirect();
        final Bytes<?> bytesValue = Bytes.allocateElasticDirect(64);
        assertAllocatesNothing(lookups, () ->
        {
            bytesKey.clear().append("key-").append(1000 + next[0]++ % KEYS);
            assertFalse(operations.getUsing(bytesKey, bytesValue));
            bytesKey.clear().append("key-00").append(10 + next[0] % 90);
            assertTrue(operations.getUsing(bytesKey, bytesValue));
            assertTrue(operations.contains(bytesKey));
        });
        bytesKey.releaseLast();
        bytesValue.releaseLast();
    }

    @Test
    void shouldAllocateNothingInLookupsOfASession()
    {
        assertLookupsAllocateNothing(session);
    }

    @Test
    void shouldAllocateNothingInLookupsOfAClient()
    {
        assertLookupsAllocateNothing(client);
    }

    @Test
    void shouldAllocateNothingInLookupsOfViewsWithAnotherDeadline()
    {
        assertLookupsAllocateNothing(session.within(Duration.ofSeconds(30)));
        assertLookupsAllocateNothing(client.within(Duration.ofSeconds(30)));
    }

    @Test
    void shouldAllocateNothingInLookupsOfManyKeys()
    {
        fill();
        final List<byte[]> keys = new ArrayList<>();
        for (int i = 0; i < 2 * KEYS; i++)
        {
            keys.add(TestStore.bytes(name(i)));
        }
        final int[] found = new int[1];
        final ValueConsumer counter = (index, each) -> found[0] += each == null ? 0 : 1;

        assertAllocatesNothing(FEW, () -> session.getAll(keys, counter));
        assertEquals(0, found[0] % KEYS);
        assertTrue(found[0] > 0);
    }

    @Test
    void shouldAllocateNothingInTheAsynchronousView()
    {
        fill();
        final long[] ends = {0};
        final AsyncSession async = session.async(new AsyncListener()
        {
            @Override
            public void onValue(final long correlation, final DirectBuffer found)
            {
                assertEquals(correlation < KEYS, found != null);
                ends[0]++;
            }

            @Override
            public void onPut(final long correlation)
            {
                ends[0]++;
            }

            @Override
            public void onDelete(final long correlation, final boolean wasPresent)
            {
                assertFalse(wasPresent);
                ends[0]++;
            }

            @Override
            public void onIncrement(final long correlation, final long number, final MutableVersion version)
            {
                assertTrue(version.number() != 0);
                ends[0]++;
            }

            @Override
            public void onAppend(final long correlation, final int length, final MutableVersion version)
            {
                assertTrue(version.number() != 0);
                ends[0]++;
            }

            @Override
            public void onFailure(final long correlation, final StoreException failure)
            {
                throw failure;
            }
        });
        assertAllocatesNothing(1, () ->
        {
            for (int i = 0; i < KEYS; i++)
            {
                while (!async.put(key(i), 0, KEY_LENGTH, value, 0, VALUE_LENGTH, i))
                {
                    async.poll();
                }
                while (!async.delete(key(KEYS + i), 0, KEY_LENGTH, i))
                {
                    async.poll();
                }
                while (!async.increment(key(2 * KEYS), 0, KEY_LENGTH, 1, 0, Expiry.KEEP, i))
                {
                    async.poll();
                }
                while (!async.append(key(i), 0, KEY_LENGTH, value, 0, 1, Expiry.KEEP, i))
                {
                    async.poll();
                }
            }
            async.drain();
            for (int i = 0; i < 2 * KEYS; i++)
            {
                while (!async.get(key(i), 0, KEY_LENGTH, i))
                {
                    async.poll();
                }
            }
            async.drain();
        });
        assertEquals(0, ends[0] % (6 * KEYS));
        assertTrue(ends[0] > 0);
    }

    @Test
    void shouldAllocateNothingInLookupsOfLongValues()
    {
        final UnsafeBuffer large = new UnsafeBuffer(new byte[300_000]);
        session.put(key(1), 0, KEY_LENGTH, large, 0, large.capacity());

        assertAllocatesNothing(FEW, () ->
            assertEquals(large.capacity(), session.get(key, 0, KEY_LENGTH, large, 0)));
    }

    @Test
    void shouldAllocateNothingInPuts()
    {
        fill();
        final int[] next = new int[1];
        assertAllocatesNothing(WRITES, () -> session.put(key(next[0]++ % KEYS), 0, KEY_LENGTH, value, 0, VALUE_LENGTH));
        // Lengths that change move the record each time.
        assertAllocatesNothing(WRITES, () ->
            session.put(key(next[0] % KEYS), 0, KEY_LENGTH, value, 0, next[0]++ * 37 % 3000));

        final ByteBuffer nioKey = ByteBuffer.wrap(TestStore.bytes(name(17)));
        final ByteBuffer nioValue = ByteBuffer.allocateDirect(64);
        assertAllocatesNothing(WRITES, () -> session.put(nioKey, nioValue.clear()));

        final Bytes<?> bytesKey = Bytes.allocateElasticDirect();
        final Bytes<?> bytesValue = Bytes.allocateElasticDirect(64);
        bytesValue.append("value");
        assertAllocatesNothing(WRITES, () ->
        {
            bytesKey.clear().append("key-").append(1000 + next[0]++ % KEYS);
            session.put(bytesKey, bytesValue);
        });
        bytesKey.releaseLast();
        bytesValue.releaseLast();
    }

    @Test
    void shouldAllocateNothingInPutsOfLongValues()
    {
        final UnsafeBuffer large = new UnsafeBuffer(new byte[300_000]);

        assertAllocatesNothing(FEW, () ->
            session.put(key(1), 0, KEY_LENGTH, large, 0, large.capacity()));
    }

    @Test
    void shouldAllocateNothingInInsertsAndDeletes()
    {
        fill();
        final int[] next = new int[1];
        assertAllocatesNothing(WRITES, () ->
        {
            key(KEYS + next[0]++ % KEYS);
            session.put(key, 0, KEY_LENGTH, value, 0, VALUE_LENGTH);
            assertTrue(session.delete(key, 0, KEY_LENGTH));
            assertFalse(session.delete(key, 0, KEY_LENGTH));
        });

        final ByteBuffer nioKey = ByteBuffer.wrap(TestStore.bytes("nio"));
        final ByteBuffer nioValue = ByteBuffer.allocateDirect(64);
        final Bytes<?> bytesKey = Bytes.allocateElasticDirect().append("bytes");
        final Bytes<?> bytesValue = Bytes.allocateElasticDirect(64).append("value");
        assertAllocatesNothing(WRITES, () ->
        {
            session.put(nioKey, nioValue.clear());
            assertTrue(session.delete(nioKey));
            session.put(bytesKey, bytesValue);
            assertTrue(session.delete(bytesKey));
        });
        bytesKey.releaseLast();
        bytesValue.releaseLast();
    }

    @Test
    void shouldAllocateNothingInIncrementsAndAppends()
    {
        fill();
        for (final StoreOperations operations : List.of(session, client))
        {
            assertAllocatesNothing(WRITES, () ->
            {
                key(KEYS);
                assertEquals(7, operations.increment(key, 0, KEY_LENGTH, 5, 2));
                assertEquals(8, operations.increment(key, 0, KEY_LENGTH, 1, 2));
                assertEquals(1 + VALUE_LENGTH, operations.append(key, 0, KEY_LENGTH, value, 0, VALUE_LENGTH));
                assertTrue(operations.delete(key, 0, KEY_LENGTH));
            });
        }
    }

    @Test
    void shouldAllocateNothingWhereBothSidesSleep()
    {
        final String device = kind.equals("tcp") ? "tcp:127.0.0.1:0" : kind;
        try (TestStore sleepy = new TestStore(TestStore.options().device(device).spinNs(0).shards(1));
            StoreClient sleeper = sleepy.clientBuilder().waiting(Waiting.SLEEPING).build();
            StoreSession asleep = sleeper.openSession())
        {
            assertAllocatesNothing(FEW, () -> asleep.put(key(1), 0, KEY_LENGTH, value, 0, VALUE_LENGTH));
        }
    }
}
