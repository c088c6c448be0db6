package org.onesided.server.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.Superblock;

/**
 * A client that knows the hash seed makes chains long and then deletes all of their keys but the last one. Others are
 * refused nothing, and in the end there are no more overflow buckets in use than the keys that stay need.
 */
class OverflowAttackTest
{
    private static final int ATTACKS = 1176;
    private static final int KEYS = 50;
    private static final int OTHERS = 2000;

    private long nextKey;

    private Status put(final TestTable t, final long number)
    {
        UnsafeApi.putLong(t.key().address(), number);
        final Status status =
            t.table.put(t.hash(Long.BYTES), t.key().address(), Long.BYTES, t.value().address(), 8, t.result);
        t.table.grow(16);
        return status;
    }

    private static Status delete(final TestTable t, final long number)
    {
        UnsafeApi.putLong(t.key().address(), number);
        return t.table.delete(t.hash(Long.BYTES), t.key().address(), Long.BYTES, t.result);
    }

    private static long bucket(final TestTable t, final long number)
    {
        UnsafeApi.putLong(t.key().address(), number);
        return t.layout.bucket(t.hash(Long.BYTES), Superblock.splitPoint(t.region().address(), 0));
    }

    /** Keys of the bucket of the next key, as it is now. */
    private long[] keysOfOneBucket(final TestTable t)
    {
        final long[] keys = new long[KEYS];
        final long wanted = bucket(t, nextKey);
        for (int count = 0; count < KEYS; nextKey++)
        {
            if (bucket(t, nextKey) == wanted)
            {
                keys[count++] = nextKey;
            }
        }
        return keys;
    }

    @Test
    void shouldRefuseOthersNothingAndFreeWhatTheAttackTook()
    {
        try (TestTable t = new TestTable(2 << 20, 8))
        {
            for (; nextKey < OTHERS; nextKey++)
            {
                assertEquals(Status.OK, put(t, nextKey));
            }
            long most = 0;
            for (int i = 0; i < ATTACKS; i++)
            {
                final long[] keys = keysOfOneBucket(t);
                int count = 0;
                // The chain may be full of the attack's own keys sooner: it had some of others.
                while (count < KEYS && put(t, keys[count]) == Status.OK)
                {
                    count++;
                }
                assertTrue(count > 40, "count=" + count);
                most = Math.max(most, t.table.statistics().overflowBucketsUsed());
                assertEquals(Status.OK, put(t, nextKey++));
                for (int j = 0; j < count - 1; j++)
                {
                    assertEquals(Status.OK, delete(t, keys[j]));
                }
            }
            final TableStatistics now = t.table.statistics();
            assertTrue(most > 5, "most=" + most);
            assertEquals(OTHERS + 2L * ATTACKS, now.records());
            assertTrue(now.overflowBucketsUsed() * 10 < now.buckets(), now::toString);
            for (long number = 0; number < OTHERS; number++)
            {
                assertEquals(Status.OK, delete(t, number));
            }
        }
    }

    /** The hash is what the server uses, so the attack is one. */
    @Test
    void shouldPutTheKeysOfAnAttackIntoOneChain()
    {
        try (TestTable t = new TestTable(TestTable.superblock(64, 64, 1 << 20), 8))
        {
            for (final long key : keysOfOneBucket(t))
            {
                UnsafeApi.putLong(t.key().address(), key);
                assertEquals(
                    new KeyHash(t.superblock.hashSeed()).hash(t.key().address(), Long.BYTES), t.hash(Long.BYTES));
                assertEquals(Status.OK, put(t, key));
            }
            assertEquals((KEYS - 1) / 7, t.table.statistics().overflowBucketsUsed());
        }
    }
}
