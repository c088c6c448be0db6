package org.onesided.client.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.client.read.TestRegion.BUCKETS;
import static org.onesided.client.read.TestRegion.EPOCH;
import static org.onesided.client.read.TestRegion.bytes;

import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.client.session.Counters;
import org.onesided.client.session.SessionParts;
import org.onesided.client.session.Table;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.SlotWord;
import org.onesided.protocol.table.SplitPoint;
import org.onesided.waiting.Pause;

/** Lookups of keys whose bucket was split since the client learned of it. */
class LookupSplitTest
{
    private static final byte[] KEY = bytes("key");
    private static final byte[] VALUE = bytes("value");

    private final TestRegion region = new TestRegion(4);
    private final ShardLayout layout = region.shard();
    private final ScriptedReader reader = new ScriptedReader(region);
    private final Counters counters = new Counters();
    private final Table table = SessionParts.table(region.superblock, 1 << 20, HeapMemory::new);
    private final RecordReader records =
        new RecordReader(reader, table, region.buffer(RecordReader.MAX_SHORT_LENGTH), region::buffer, counters);
    private final Lookup lookup = new Lookup(reader, records, table, region.buffer(BucketDescriptor.LENGTH), counters,
        new Patience(() -> 0, 0, Pause::after));
    private final long bucket = region.bucketOf(KEY);

    @AfterEach
    void free()
    {
        region.close();
    }

    private int find(final byte[] key)
    {
        return lookup.find(region.copy(key), key.length, region.hash(key));
    }

    /** Splits all buckets of level 0 up to that of the key. */
    private long split()
    {
        for (long old = 0; old <= bucket; old++)
        {
            split(old);
        }
        return layout.bucket(region.hash(KEY), layout.pointBehind(bucket));
    }

    /** Of a chain of one bucket, whose only key is the test's, if any. */
    private void split(final long old)
    {
        final long child = layout.child(old);
        final long own = layout.bucket(region.hash(KEY), SplitPoint.of(layout.level(child), 0));
        for (int i = 0; i < BucketDescriptor.SLOT_COUNT; i++)
        {
            if (region.slot(old, i) != SlotWord.EMPTY)
            {
                region.slot(own, 0, region.slot(old, i));
            }
        }
        region.header(child, BucketDescriptor.LIVE, EPOCH, -1);
        region.header(child + 1, BucketDescriptor.LIVE, EPOCH, -1);
        region.header(old, BucketDescriptor.migrated(region.header(old)));
    }

    /** A key of the same bucket of level 0 that is in none. */
    private byte[] other()
    {
        return region.anotherKeyInBucketOf(KEY);
    }

    @Test
    void shouldGoOnToTheNewBucketAndRememberThat()
    {
        region.insert(KEY, VALUE, 3);
        split();

        assertEquals(Lookup.FOUND, find(KEY));
        assertEquals(3, reader.reads.size());
        assertEquals(Lookup.FOUND, find(KEY));
        assertEquals(4, reader.reads.size());
        reader.reads.clear();
        assertEquals(Lookup.ABSENT, find(other()));
        assertEquals(1, reader.reads.size());
    }

    @Test
    void shouldFollowSeveralLevelsAtOnce()
    {
        region.insert(KEY, VALUE, 3);
        for (long old = 0; old < layout.firstIndex(3); old++)
        {
            split(old);
        }
        assertEquals(Lookup.FOUND, find(KEY));
        assertEquals(5, reader.reads.size());
        assertEquals(Lookup.ABSENT, find(bytes("absent")));
        assertTrue(reader.reads.size() <= 8);
    }

    @Test
    void shouldBeginWhereTheSuperblockSays()
    {
        region.insert(KEY, VALUE, 3);
        split();
        SessionParts.learn(table, 0, layout.pointBehind(bucket));

        assertEquals(Lookup.FOUND, find(KEY));
        assertEquals(2, reader.reads.size());
    }

    @Test
    void shouldFindByTheOldLineOfTheMirrorInOneRead()
    {
        region.insert(KEY, VALUE, 3);
        assertEquals(Lookup.FOUND, find(KEY));
        final long own = split();
        assertEquals(Lookup.FOUND, find(KEY));
        assertEquals(3, reader.reads.size());
        // Another key's lookup tells of the split.
        table.learnSplit(0, bucket);
        reader.reads.clear();

        assertEquals(Lookup.FOUND, find(KEY));
        assertEquals(1, reader.reads.size());
        // The word is in the new bucket's line now, whatever becomes of the old one's.
        assertNotEquals(0, table.mirror().lineOf(table.bucketNumber(0, own)));
        table.mirror().update(table.bucketNumber(0, bucket), 3, SlotWord.EMPTY);
        assertEquals(Lookup.FOUND, find(KEY));
        assertEquals(2, reader.reads.size());
    }

    @Test
    void shouldNotTakeAbsenceFromAnOldBucket()
    {
        assertEquals(Lookup.ABSENT, find(KEY));
        final long own = split();
        final long offset = region.record(KEY, VALUE);
        region.slot(own, 1, region.slotOf(KEY, VALUE, offset));

        assertEquals(Lookup.FOUND, find(KEY));
    }

    /** A split point that is ahead of the server's leads to buckets that are none yet. */
    @Test
    void shouldGoBackToTheBucketThatANewOneWillComeOf()
    {
        region.insert(KEY, VALUE, 3);
        SessionParts.learn(table, 0, SplitPoint.of(2, 0));

        assertEquals(Lookup.FOUND, find(KEY));
        assertEquals(4, reader.reads.size());
        reader.reads.clear();
        final byte[] absent = other();
        assertEquals(Lookup.ABSENT, find(absent));
        assertTrue(reader.reads.size() <= 4);
    }

    /**
     * A bucket that was filled while it was READ, with its first words taken before: whoever did not know that it was
     * in use may have missed a key.
     */
    @Test
    void shouldLookTwiceAtABucketThatItDidNotKnowToBeInUse()
    {
        region.insert(KEY, VALUE, 3);
        SessionParts.learn(table, 0, SplitPoint.of(2, 0));
        final long own = layout.bucket(region.hash(KEY), SplitPoint.of(1, 0));
        final long word = region.slot(bucket, 3);
        // The second READ is of the bucket of level 1: its header is of after the split, its slots are of before.
        reader.before(1, () ->
        {
            region.header(own, BucketDescriptor.LIVE, EPOCH, -1);
            region.header(bucket, BucketDescriptor.migrated(region.header(bucket)));
        });
        reader.before(2, () -> region.slot(own, 0, word));

        assertEquals(Lookup.FOUND, find(KEY));
    }

    @Test
    void shouldAskTheServerWhereNoBucketIsInUse()
    {
        UnsafeApi.setMemory(region.address + layout.bucketOffset(0), (long)BUCKETS * BucketDescriptor.LENGTH, (byte)0);
        assertEquals(Lookup.UNSETTLED, find(KEY));
        region.header(bucket, BucketDescriptor.MIGRATED, EPOCH, -1);
        assertEquals(Lookup.UNSETTLED, find(KEY));
        assertTrue(reader.reads.size() < 2000);
    }
}
