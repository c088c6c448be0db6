package org.onesided.protocol.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class BucketDescriptorTest
{
    @Test
    void shouldBeLiveInItsEpochOnly()
    {
        final long header = BucketDescriptor.header(BucketDescriptor.LIVE, 5, 0, -1);
        assertTrue(BucketDescriptor.isLive(header, 5));
        assertFalse(BucketDescriptor.isLive(header, 6));
        assertFalse(BucketDescriptor.isLive(0, 0));
        assertFalse(BucketDescriptor.isLive(BucketDescriptor.header(BucketDescriptor.MIGRATED, 5, 0, -1), 5));
        final long late = (1L << 30) + 5;
        assertTrue(BucketDescriptor.isLive(BucketDescriptor.header(BucketDescriptor.LIVE, late, 3, 7), late));
    }

    @Test
    void shouldNameTheNextBucketOrNone()
    {
        assertEquals(-1, BucketDescriptor.overflow(BucketDescriptor.header(BucketDescriptor.LIVE, 5, 0, -1)));
        assertEquals(0, BucketDescriptor.overflow(BucketDescriptor.header(BucketDescriptor.LIVE, 5, 0, 0)));
        assertEquals(
            0xFFFF_FFFEL,
            BucketDescriptor.overflow(BucketDescriptor.header(BucketDescriptor.LIVE, -1, -1, 0xFFFF_FFFEL)));
    }

    @Test
    void shouldChangeTagAndNextBucketByThemselves()
    {
        final long header = BucketDescriptor.header(BucketDescriptor.LIVE, 5, BucketDescriptor.MAX_TAG, 0xFFFF_FFFEL);
        assertEquals(BucketDescriptor.MAX_TAG, BucketDescriptor.tag(header));
        assertEquals(
            BucketDescriptor.header(BucketDescriptor.LIVE, 5, 9, 0xFFFF_FFFEL), BucketDescriptor.withTag(header, 9));
        assertEquals(
            BucketDescriptor.header(BucketDescriptor.LIVE, 5, BucketDescriptor.MAX_TAG, 7),
            BucketDescriptor.withOverflow(header, 7));
        assertEquals(-1, BucketDescriptor.overflow(BucketDescriptor.withOverflow(header, -1)));
        assertTrue(BucketDescriptor.isLive(BucketDescriptor.withOverflow(header, -1), 5));
    }

    @Test
    void shouldMarkABucketAsMigrated()
    {
        final long header = BucketDescriptor.header(BucketDescriptor.LIVE, 5, 9, 7);
        final long migrated = BucketDescriptor.migrated(header);
        assertEquals(BucketDescriptor.header(BucketDescriptor.MIGRATED, 5, 9, 7), migrated);
        assertTrue(BucketDescriptor.isMigrated(migrated, 5));
        assertFalse(BucketDescriptor.isMigrated(migrated, 6));
        assertFalse(BucketDescriptor.isMigrated(header, 5));
        assertFalse(BucketDescriptor.isLive(migrated, 5));
    }

    @Test
    void shouldSayWhenAChainWasSeenWhole()
    {
        assertTrue(BucketDescriptor.isSeenWhole(0, header(0, -1)));
        assertFalse(BucketDescriptor.isSeenWhole(0, header(1, -1)));
        assertFalse(BucketDescriptor.isSeenWhole(0, header(0, 4)));
        assertTrue(BucketDescriptor.isSeenWhole(header(1, -1), header(1, -1)));
        assertTrue(BucketDescriptor.isSeenWhole(header(1, 4), header(1, 4)));
        assertFalse(BucketDescriptor.isSeenWhole(header(1, -1), header(1, 4)));
        assertFalse(BucketDescriptor.isSeenWhole(header(0, -1), header(1, -1)));
        assertFalse(BucketDescriptor.isSeenWhole(header(1, 4), header(2, 4)));
    }

    private static long header(final int tag, final long overflow)
    {
        return BucketDescriptor.header(BucketDescriptor.LIVE, 1, tag, overflow);
    }
}
