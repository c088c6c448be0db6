package org.onesided.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.onesided.protocol.table.BucketDescriptor;

class MirrorTest
{
    private static final int LINE = BucketDescriptor.LENGTH;

    private final UnsafeBuffer bucket = new UnsafeBuffer(BufferUtil.allocateDirectAligned(LINE, LINE));

    private long bucket(final long overflow, final long firstWord)
    {
        bucket.putLong(0, BucketDescriptor.header(BucketDescriptor.LIVE, 1, overflow));
        for (int i = 0; i < BucketDescriptor.SLOT_COUNT; i++)
        {
            bucket.putLong(BucketDescriptor.slotOffset(i), firstWord + i);
        }
        return bucket.addressOffset();
    }

    @Test
    void shouldKeepSlotsAndOverflow()
    {
        final Mirror mirror = new Mirror(1 << 20, 1000);
        mirror.refresh(999, bucket(0xFFFF_FFFDL, -5));

        final long line = mirror.lineOf(999);
        assertNotEquals(Mirror.NONE, line);
        assertEquals(-5, mirror.slot(line, 0));
        assertEquals(1, mirror.slot(line, 6));
        assertEquals(0xFFFF_FFFDL, mirror.overflow(line));
    }

    @Test
    void shouldKnowNothingAtFirst()
    {
        assertEquals(Mirror.NONE, new Mirror(1 << 20, 1000).lineOf(0));
    }

    @Test
    void shouldHoldTheWholeTableWithoutConflictIfItFits()
    {
        final Mirror mirror = new Mirror(1 << 20, 1000);
        for (int i = 0; i < 1000; i++)
        {
            mirror.refresh(i, bucket(-1, i * 10L));
        }
        for (int i = 0; i < 1000; i++)
        {
            assertEquals(i * 10L, mirror.slot(mirror.lineOf(i), 0));
        }
    }

    @Test
    void shouldLetABucketTakeThePlaceOfAnother()
    {
        final Mirror mirror = new Mirror(64 * LINE, 1000);
        assertEquals(64, mirror.capacity());
        mirror.refresh(3, bucket(-1, 1));
        mirror.refresh(3 + 64, bucket(-1, 2));

        assertEquals(Mirror.NONE, mirror.lineOf(3));
        assertEquals(2, mirror.slot(mirror.lineOf(3 + 64), 0));
    }

    @Test
    void shouldTellApartTheNumbersOfTheLargestTables()
    {
        final Mirror mirror = new Mirror(64 * LINE, 1L << 37);
        mirror.refresh((1L << 37) - 1, bucket(-1, 1));

        assertEquals(Mirror.NONE, mirror.lineOf(63));
        assertNotEquals(Mirror.NONE, mirror.lineOf((1L << 37) - 1));
    }

    @Test
    void shouldTakeNoMoreMemoryThanItMayOrNeeds()
    {
        assertEquals(0, new Mirror(0, 1000).capacity());
        assertEquals(0, new Mirror(63 * LINE, 1000).capacity());
        assertEquals(128, new Mirror(255 * LINE, 1000).capacity());
        assertEquals(1024, new Mirror(1L << 40, 1000).capacity());
    }

    @Test
    void shouldDoNothingWithoutMemory()
    {
        final Mirror mirror = new Mirror(0, 1000);
        mirror.refresh(1, bucket(-1, 1));
        mirror.update(1, 0, 5);

        assertEquals(Mirror.NONE, mirror.lineOf(1));
    }

    @Test
    void shouldUpdateOneSlot()
    {
        final Mirror mirror = new Mirror(1 << 20, 1000);
        mirror.refresh(7, bucket(4, 100));
        mirror.update(7, 3, 77);

        final long line = mirror.lineOf(7);
        assertEquals(102, mirror.slot(line, 2));
        assertEquals(77, mirror.slot(line, 3));
        assertEquals(104, mirror.slot(line, 4));
        assertEquals(4, mirror.overflow(line));
    }

    @Test
    void shouldStartALineFromOneSlotUnlessItIsEmpty()
    {
        final Mirror mirror = new Mirror(64 * LINE, 1000);
        mirror.refresh(7 + 64, bucket(4, 100));
        mirror.update(7, 3, 0);
        assertEquals(Mirror.NONE, mirror.lineOf(7));

        mirror.update(7, 3, 77);
        final long line = mirror.lineOf(7);
        assertEquals(77, mirror.slot(line, 3));
        assertEquals(0, mirror.slot(line, 2));
        assertEquals(-1, mirror.overflow(line));
    }
}
