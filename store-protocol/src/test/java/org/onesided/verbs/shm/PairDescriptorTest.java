package org.onesided.verbs.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PairDescriptorTest
{
    private static final int RING_LENGTH = 4096;
    private static final int WINDOW = RING_LENGTH / FrameDescriptor.HEADER_LENGTH;

    @Test
    void shouldKeepThePartsApart()
    {
        assertEquals(64, PairDescriptor.PROOF_OFFSET);
        assertEquals(128, PairDescriptor.CLAIM_OFFSET);
        assertEquals(192, PairDescriptor.SIDES_OFFSET);
        assertTrue(PairDescriptor.CLAIM_SECRET_OFFSET + PairFile.SECRET_LENGTH <= PairDescriptor.SIDES_OFFSET);
        assertEquals(384, PairSideDescriptor.LENGTH);
        assertEquals(192 + 2 * 384, PairDescriptor.lengthsOffset(WINDOW, 0));
        assertEquals(192 + 2 * 384 + WINDOW * 4, PairDescriptor.lengthsOffset(WINDOW, 1));
        final long rings = PairDescriptor.ringOffset(RING_LENGTH, WINDOW, 0);
        assertTrue(rings >= PairDescriptor.lengthsOffset(WINDOW, 1) + WINDOW * 4);
        assertEquals(0, rings % FrameDescriptor.HEADER_LENGTH);
        assertEquals(rings + RING_LENGTH, PairDescriptor.ringOffset(RING_LENGTH, WINDOW, 1));
        assertEquals(rings + 2 * RING_LENGTH, PairDescriptor.length(RING_LENGTH, WINDOW));
    }

    @Test
    void shouldPackTheWordsOfASharedQueue()
    {
        final long word = SharedQueueDescriptor.word(0x3F_FFFFL + 6, 0xFFFE, 0xFF_FFFD, SharedQueueDescriptor.CLAIMED);
        assertEquals(0xFFFE, SharedQueueDescriptor.slot(word));
        assertEquals(0xFF_FFFD, SharedQueueDescriptor.claimant(word));
        assertEquals(SharedQueueDescriptor.CLAIMED, SharedQueueDescriptor.state(word));
        assertTrue(SharedQueueDescriptor.isAt(word, 0x3F_FFFFL + 6));
        assertTrue(!SharedQueueDescriptor.isAt(word, 0x3F_FFFFL + 5));
    }
}
