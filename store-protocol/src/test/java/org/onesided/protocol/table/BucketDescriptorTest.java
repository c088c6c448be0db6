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
        final long header = BucketDescriptor.header(BucketDescriptor.LIVE, 5, -1);
        assertTrue(BucketDescriptor.isLive(header, 5));
        assertFalse(BucketDescriptor.isLive(header, 6));
        assertFalse(BucketDescriptor.isLive(0, 0));
        assertFalse(BucketDescriptor.isLive(BucketDescriptor.header(BucketDescriptor.MIGRATED, 5, -1), 5));
        final long late = (1L << 30) + 5;
        assertTrue(BucketDescriptor.isLive(BucketDescriptor.header(BucketDescriptor.LIVE, late, 7), late));
    }

    @Test
    void shouldNameTheNextBucketOrNone()
    {
        assertEquals(-1, BucketDescriptor.overflow(BucketDescriptor.header(BucketDescriptor.LIVE, 5, -1)));
        assertEquals(0, BucketDescriptor.overflow(BucketDescriptor.header(BucketDescriptor.LIVE, 5, 0)));
        assertEquals(
            0xFFFF_FFFEL, BucketDescriptor.overflow(BucketDescriptor.header(BucketDescriptor.LIVE, -1, 0xFFFF_FFFEL)));
    }
}
