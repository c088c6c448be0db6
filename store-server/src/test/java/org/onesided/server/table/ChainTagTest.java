package org.onesided.server.table;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.BucketDescriptor;

/**
 * The tag of a chain changes with each step that could hide a key from a reader, and with no other one: it wears out.
 */
class ChainTagTest
{
    private static final int SLOTS = BucketDescriptor.SLOT_COUNT;

    /** One bucket, so that all keys are in its chain, in the order in which they are put. */
    private final TestTable t = new TestTable(TestTable.superblock(1, 8, 1 << 16), 8);

    @AfterEach
    void close()
    {
        t.close();
    }

    private void put(final int keys)
    {
        for (int i = 0; i < keys; i++)
        {
            assertEquals(Status.OK, t.put("key" + i, new byte[8]));
        }
        assertEquals((keys - 1) / SLOTS + 1, t.chainLength("key0"));
        assertEquals(0, tag());
    }

    private void delete(final int key)
    {
        assertEquals(Status.OK, t.delete("key" + key));
    }

    private long tag()
    {
        return BucketDescriptor.tag(UnsafeApi.getLong(t.address(t.layout.bucketOffset(0))));
    }

    @Test
    void shouldChangeWhenTheBucketBehindTheFirstLeaves()
    {
        put(SLOTS + 1);
        delete(SLOTS);
        assertEquals(1, t.chainLength("key0"));
        assertEquals(1, tag());
    }

    @Test
    void shouldChangeWhenABucketFurtherBackLeaves()
    {
        put(2 * SLOTS + 1);
        delete(2 * SLOTS);
        assertEquals(2, t.chainLength("key0"));
        assertEquals(1, tag());
    }

    @Test
    void shouldChangeWhenAKeyMovesToAnEarlierOverflowBucket()
    {
        put(2 * SLOTS + 2);
        delete(SLOTS);
        assertEquals(3, t.chainLength("key0"));
        assertEquals(1, tag());
    }

    @Test
    void shouldStayWhenAKeyMovesToTheFirstBucketOrNoneMoves()
    {
        put(2 * SLOTS + 4);
        delete(0);
        delete(2 * SLOTS);
        assertEquals(3, t.chainLength("key1"));
        assertEquals(0, tag());
    }
}
