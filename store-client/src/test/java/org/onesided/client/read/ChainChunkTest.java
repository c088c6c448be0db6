package org.onesided.client.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.client.read.TestRegion.BUCKETS;
import static org.onesided.client.read.TestRegion.EPOCH;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.client.session.Counters;
import org.onesided.client.session.SessionParts;
import org.onesided.client.session.Table;
import org.onesided.protocol.table.BucketDescriptor;

class ChainChunkTest
{
    private static final long WORD = 7L << 48 | 1L << 36 | 600;

    private final TestRegion region = new TestRegion();
    private final ScriptedReader reader = new ScriptedReader(region);
    private final Table table = SessionParts.table(region.superblock, 0, HeapMemory::new);
    private final ChainChunk chunk =
        new ChainChunk(table, region.buffer(ChainChunk.SPACE_LENGTH), new Counters());

    @AfterEach
    void free()
    {
        region.close();
    }

    private void link(final long bucket, final int overflow)
    {
        region.header(bucket, BucketDescriptor.withOverflow(region.header(bucket), overflow));
        region.header(BUCKETS + overflow, BucketDescriptor.LIVE, EPOCH, -1);
    }

    private void tag(final long bucket, final int tag)
    {
        region.header(bucket, BucketDescriptor.withTag(region.header(bucket), tag));
    }

    private void read()
    {
        chunk.read(reader, 0, 0, BUCKETS);
    }

    @Test
    void shouldSettleChainsThatNeverHadOverflowByOneRead()
    {
        region.slot(1, 3, WORD);
        read();

        assertTrue(chunk.isSettled());
        assertEquals(1, reader.reads.size());
        assertEquals(BUCKETS * BucketDescriptor.SLOT_COUNT, chunk.slotCount());
        assertEquals(WORD, chunk.word(BucketDescriptor.SLOT_COUNT + 3));
    }

    @Test
    void shouldSettleChainsThatHadOverflowByASecondRead()
    {
        tag(2, 5);
        reader.before(1, () -> region.slot(2, 0, WORD));
        read();

        assertTrue(chunk.isSettled());
        assertEquals(2, reader.reads.size());
        assertEquals(WORD, chunk.word(2 * BucketDescriptor.SLOT_COUNT));
    }

    @Test
    void shouldNotSettleAChainWhoseTagChangedOrThatGrewBetweenBothReads()
    {
        tag(1, 5);
        tag(2, 5);
        tag(3, 5);
        reader.before(1, () ->
        {
            tag(1, 6);
            link(2, 0);
        });
        read();

        assertFalse(chunk.isSettled(1));
        assertFalse(chunk.isSettled(2));
        assertTrue(chunk.isSettled(0));
        assertTrue(chunk.isSettled(3));
        chunk.readAgain(reader);
        assertFalse(chunk.isWhole(1));
        assertFalse(chunk.isWhole(2));
    }

    @Test
    void shouldReadOverflowBucketsBehindTheOthers()
    {
        link(1, 0);
        link(3, 2);
        link(BUCKETS + 2, 1);
        region.slot(BUCKETS + 1, 6, WORD);
        read();

        assertFalse(chunk.isSettled());
        assertEquals((BUCKETS + 3) * BucketDescriptor.SLOT_COUNT, chunk.slotCount());
        final int last = BUCKETS + 2;
        assertEquals(WORD, chunk.word(last * BucketDescriptor.SLOT_COUNT + 6));
        assertEquals(3, chunk.chainIndex(last));
        assertFalse(chunk.isFirst(last));
        assertTrue(chunk.hasBehind(3, 7));
        assertFalse(chunk.hasBehind(3, 8));
        assertFalse(chunk.hasBehind(1, 7));
        chunk.readAgain(reader);
        assertTrue(chunk.isWhole(1));
        assertTrue(chunk.isWhole(3));
    }

    @Test
    void shouldSeeWhatCameToTheFirstBucket()
    {
        link(1, 0);
        read();
        region.slot(1, 4, WORD);
        chunk.readAgain(reader);

        assertTrue(chunk.isWhole(1));
        assertEquals(0, chunk.word(BucketDescriptor.SLOT_COUNT + 4));
        assertEquals(WORD, chunk.wordAgain(BucketDescriptor.SLOT_COUNT + 4));
        tag(1, 1);
        chunk.readAgain(reader);
        assertFalse(chunk.isWhole(1));
    }

    @Test
    void shouldNotTakeAChainForWholeOfWhichItHasNotReadAll()
    {
        region.header(0, BucketDescriptor.LIVE, EPOCH, TestRegion.OVERFLOW_BUCKETS);
        link(1, 0);
        region.header(BUCKETS, BucketDescriptor.NOT_A_BUCKET, EPOCH, -1);
        link(2, 1);
        region.header(BUCKETS + 1, BucketDescriptor.LIVE, EPOCH, 1);
        read();
        chunk.readAgain(reader);

        assertFalse(chunk.isWhole(0));
        assertFalse(chunk.isWhole(1));
        assertFalse(chunk.isWhole(2));
        assertTrue(chunk.slotCount() <= (BUCKETS + 9) * BucketDescriptor.SLOT_COUNT);
    }

    @Test
    void shouldReadAChainByItself()
    {
        link(3, 2);
        chunk.read(reader, 0, 3, 1);

        assertEquals(2 * BucketDescriptor.SLOT_COUNT, chunk.slotCount());
        assertEquals(3, chunk.chainIndex(0));
        assertEquals(3, chunk.chainIndex(1));
    }
}
