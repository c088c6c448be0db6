package org.onesided.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.verbs.NativeArray;

class MirrorTest
{
    private static final int LINE = BucketDescriptor.LENGTH;

    private final UnsafeBuffer bucket = new UnsafeBuffer(BufferUtil.allocateDirectAligned(LINE, LINE));

    private NativeArray memory;

    private long bucket(final long overflow, final long firstWord)
    {
        bucket.putLong(0, BucketDescriptor.header(BucketDescriptor.LIVE, 1, overflow));
        for (int i = 0; i < BucketDescriptor.SLOT_COUNT; i++)
        {
            bucket.putLong(BucketDescriptor.slotOffset(i), firstWord + i);
        }
        return bucket.addressOffset();
    }

    private Mirror mirror(final long maxBytes, final long bucketCount)
    {
        memory = new NativeArray(Mirror.length(maxBytes, bucketCount));
        return new Mirror(memory.range());
    }

    @AfterEach
    void tearDown()
    {
        memory.close();
    }

    @Test
    void shouldKeepSlotsAndOverflow()
    {
        final Mirror mirror = mirror(1 << 20, 1000);
        mirror.refresh(999, bucket(0xFFFF_FFFDL, -5));

        final long line = mirror.lineOf(999);
        assertNotEquals(Mirror.NONE, line);
        assertEquals(-5, Mirror.slot(line, 0));
        assertEquals(1, Mirror.slot(line, 6));
        assertEquals(0xFFFF_FFFDL, Mirror.overflow(line));
    }

    @Test
    void shouldKnowNothingAtFirst()
    {
        assertEquals(Mirror.NONE, mirror(1 << 20, 1000).lineOf(0));
    }

    @Test
    void shouldHoldTheWholeTableWithoutConflictIfItFits()
    {
        final Mirror mirror = mirror(1 << 20, 1000);
        for (int i = 0; i < 1000; i++)
        {
            mirror.refresh(i, bucket(-1, i * 10L));
        }
        for (int i = 0; i < 1000; i++)
        {
            assertEquals(i * 10L, Mirror.slot(mirror.lineOf(i), 0));
        }
    }

    @Test
    void shouldLetABucketTakeThePlaceOfAnother()
    {
        final Mirror mirror = mirror(64 * LINE, 1000);
        assertEquals(64, mirror.capacity());
        mirror.refresh(3, bucket(-1, 1));
        mirror.refresh(3 + 64, bucket(-1, 2));

        assertEquals(Mirror.NONE, mirror.lineOf(3));
        assertEquals(2, Mirror.slot(mirror.lineOf(3 + 64), 0));
    }

    @Test
    void shouldTellApartTheNumbersOfTheLargestTables()
    {
        final Mirror mirror = mirror(64 * LINE, 1L << 37);
        mirror.refresh((1L << 37) - 1, bucket(-1, 1));

        assertEquals(Mirror.NONE, mirror.lineOf(63));
        assertNotEquals(Mirror.NONE, mirror.lineOf((1L << 37) - 1));
    }

    @Test
    void shouldTakeNoMoreMemoryThanItMayOrNeeds()
    {
        assertEquals(0, mirror(0, 1000).capacity());
        assertEquals(0, mirror(63 * LINE, 1000).capacity());
        assertEquals(128, mirror(255 * LINE, 1000).capacity());
        assertEquals(1024, mirror(1L << 40, 1000).capacity());
    }

    @Test
    void shouldDoNothingWithoutMemory()
    {
        final Mirror mirror = mirror(0, 1000);
        mirror.refresh(1, bucket(-1, 1));
        mirror.update(1, 0, 5);

        assertEquals(Mirror.NONE, mirror.lineOf(1));
    }

    @Test
    void shouldUpdateOneSlot()
    {
        final Mirror mirror = mirror(1 << 20, 1000);
        mirror.refresh(7, bucket(4, 100));
        mirror.update(7, 3, 77);

        final long line = mirror.lineOf(7);
        assertEquals(102, Mirror.slot(line, 2));
        assertEquals(77, Mirror.slot(line, 3));
        assertEquals(104, Mirror.slot(line, 4));
        assertEquals(4, Mirror.overflow(line));
    }

    @Test
    void shouldStartALineFromOneSlotUnlessItIsEmpty()
    {
        final Mirror mirror = mirror(64 * LINE, 1000);
        mirror.refresh(7 + 64, bucket(4, 100));
        mirror.update(7, 3, 0);
        assertEquals(Mirror.NONE, mirror.lineOf(7));

        mirror.update(7, 3, 77);
        final long line = mirror.lineOf(7);
        assertEquals(77, Mirror.slot(line, 3));
        assertEquals(0, Mirror.slot(line, 2));
        assertEquals(-1, Mirror.overflow(line));
    }
}
