package org.onesided.client.session;

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
        bucket.putLong(0, BucketDescriptor.header(BucketDescriptor.LIVE, 1, 0, overflow));
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
        final Mirror mirror = mirror(1 << 20, 1000);
        assertEquals(Mirror.NONE, mirror.lineOf(0));
        assertEquals(Mirror.UNKNOWN, mirror.header(0));
    }

    @Test
    void shouldKeepTagAndOverflowOfAHeader()
    {
        final Mirror mirror = mirror(64 * LINE, 1000);
        mirror.refresh(70, headed(0xFFFE, 3));
        assertEquals(0xFFFE, BucketDescriptor.tag(mirror.header(70)));
        assertEquals(3, BucketDescriptor.overflow(mirror.header(70)));
        mirror.refresh(70, headed(0, -1));
        assertEquals(0, BucketDescriptor.tag(mirror.header(70)));
        assertEquals(-1, BucketDescriptor.overflow(mirror.header(70)));
        assertNotEquals(Mirror.UNKNOWN, mirror.header(70));
        // Bucket 6 has the same line.
        assertEquals(Mirror.UNKNOWN, mirror.header(6));
    }

    @Test
    void shouldKnowNoHeaderWhoseTagIsTooHigh()
    {
        final Mirror mirror = mirror(64 * LINE, 1000);
        for (final int tag : new int[] {0xFFFF, 0x1_0000, BucketDescriptor.MAX_TAG})
        {
            mirror.refresh(7, headed(tag, 3));
            assertEquals(Mirror.UNKNOWN, mirror.header(7));
            assertEquals(3, Mirror.overflow(mirror.lineOf(7)));
        }
    }

    @Test
    void shouldKnowNoHeaderOfABucketOfWhichAnAnswerToldOneSlot()
    {
        final Mirror mirror = mirror(64 * LINE, 1000);
        mirror.update(7, 2, 55);
        assertEquals(Mirror.UNKNOWN, mirror.header(7));
        mirror.refresh(7, headed(4, -1));
        mirror.update(7, 2, 56);
        assertEquals(4, BucketDescriptor.tag(mirror.header(7)));
    }

    private long headed(final int tag, final long overflow)
    {
        bucket.putLong(0, BucketDescriptor.header(BucketDescriptor.LIVE, 1, tag, overflow));
        return bucket.addressOffset();
    }

    @Test
    void shouldHaveNoLineForABucketThatALineCannotTellFromOthers()
    {
        final Mirror mirror = mirror(64 * LINE, 1L << 40);
        final long last = 64 * 65_535L - 1;
        mirror.refresh(last, bucket(-1, 5));
        for (final long beyond : new long[] {last + 1, last + 64, last + 64 * 65_536L})
        {
            mirror.refresh(beyond, bucket(-1, 9));
            mirror.update(beyond, 0, 9);
            assertEquals(Mirror.NONE, mirror.lineOf(beyond));
            assertEquals(Mirror.UNKNOWN, mirror.header(beyond));
        }
        assertEquals(5, Mirror.slot(mirror.lineOf(last), 0));
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
        final long count = 64 * 65_535L - 1;
        final Mirror mirror = mirror(64 * LINE, count);
        mirror.refresh(count - 1, bucket(-1, 1));

        for (long number = (count - 1) % 64; number < count - 1; number += 64)
        {
            assertEquals(Mirror.NONE, mirror.lineOf(number));
        }
        assertNotEquals(Mirror.NONE, mirror.lineOf(count - 1));
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
