package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import net.openhft.chronicle.bytes.Bytes;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.onesided.client.AsyncListener;
import org.onesided.client.AsyncSession;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreException;
import org.onesided.client.StoreOperations;
import org.onesided.client.StoreSession;
import org.onesided.client.Waiting;

/**
 * Lookups into the caller's own buffers allocate nothing, once what they run through is compiled and the mirror full.
 */
class AllocationTest
{
    private static final int KEYS = 100;
    private static final int LOOKUPS = 20_000;
    /** The compiler may still be at work in the first rounds. */
    private static final int ROUNDS = 20;

    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();

    private void assertAllocatesNothing(final Runnable lookups)
    {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < ROUNDS && least > 0; i++)
        {
            final long before = threads.getCurrentThreadAllocatedBytes();
            lookups.run();
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertEquals(0, least);
    }

    private void assertAllocatesNothing(final StoreOperations store)
    {
        for (int i = 0; i < KEYS; i++)
        {
            store.put("key-" + i, "value-" + i);
        }
        final Bytes<?> key = Bytes.allocateElasticDirect();
        final Bytes<?> value = Bytes.allocateElasticDirect(64);
        assertAllocatesNothing(() ->
        {
            for (int i = 0; i < LOOKUPS; i++)
            {
                key.clear().append("key-").append(i % KEYS);
                assertTrue(store.getUsing(key, value));
            }
        });
        key.releaseLast();
        value.releaseLast();

        final UnsafeBuffer keyBuffer = new UnsafeBuffer(TestStore.bytes("key-17"));
        final UnsafeBuffer valueBuffer = new UnsafeBuffer(new byte[64]);
        assertAllocatesNothing(() ->
        {
            for (int i = 0; i < LOOKUPS; i++)
            {
                assertEquals(8, store.get(keyBuffer, 0, 6, valueBuffer, 0));
                assertTrue(store.contains(keyBuffer, 0, 6));
            }
        });

        final ByteBuffer nioKey = ByteBuffer.wrap(TestStore.bytes("key-17"));
        final ByteBuffer nioValue = ByteBuffer.allocateDirect(64);
        assertAllocatesNothing(() ->
        {
            for (int i = 0; i < LOOKUPS; i++)
            {
                assertEquals(8, store.get(nioKey, nioValue.clear()));
            }
        });
    }

    @Test
    void shouldAllocateNothingInASession()
    {
        try (TestStore store = new TestStore(); StoreClient client = store.client();
            StoreSession session = client.openSession())
        {
            assertAllocatesNothing(session);
        }
    }

    @Test
    void shouldAllocateNothingInAClient()
    {
        try (TestStore store = new TestStore(); StoreClient client = store.client())
        {
            assertAllocatesNothing(client);
        }
    }

    @Test
    void shouldAllocateNothingInTheAsynchronousView()
    {
        try (TestStore store = new TestStore();
            StoreClient client = store.clientBuilder().waiting(Waiting.SPINNING).build();
            StoreSession session = client.openSession())
        {
            final long[] ends = {0};
            final AsyncSession async = session.async(new AsyncListener()
            {
                @Override
                public void onValue(final long correlation, final DirectBuffer value)
                {
                    ends[0] += value.capacity();
                }

                @Override
                public void onPut(final long correlation)
                {
                    ends[0]++;
                }

                @Override
                public void onDelete(final long correlation, final boolean wasPresent)
                {
                    ends[0]++;
                }

                @Override
                public void onFailure(final long correlation, final StoreException failure)
                {
                    throw failure;
                }
            });
            final UnsafeBuffer key = new UnsafeBuffer(new byte[Integer.BYTES]);
            final UnsafeBuffer value = new UnsafeBuffer(new byte[64]);
            assertAllocatesNothing(() ->
            {
                for (int i = 0; i < 2000; i++)
                {
                    key.putInt(0, i % KEYS);
                    while (!async.put(key, 0, Integer.BYTES, value, 0, 64, i))
                    {
                        async.poll();
                    }
                }
                async.drain();
                for (int i = 0; i < 2000; i++)
                {
                    key.putInt(0, i % KEYS);
                    while (!async.get(key, 0, Integer.BYTES, i))
                    {
                        async.poll();
                    }
                }
                async.drain();
            });
            assertEquals(0, ends[0] % (2000 + 2000 * 64));
            assertTrue(ends[0] > 0);
        }
    }

    /** Spinning, since a thread that goes to sleep may allocate on its way there. */
    @Test
    void shouldAllocateNothingInPutsOfBuffers()
    {
        try (TestStore store = new TestStore();
            StoreClient client = store.clientBuilder().waiting(Waiting.SPINNING).build();
            StoreSession session = client.openSession())
        {
            final UnsafeBuffer key = new UnsafeBuffer(TestStore.bytes("key"));
            final UnsafeBuffer value = new UnsafeBuffer(new byte[64]);
            assertAllocatesNothing(() ->
            {
                for (int i = 0; i < 1000; i++)
                {
                    session.put(key, 0, 3, value, 0, 64);
                }
            });
        }
    }
}
