package org.onesided.client.read;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.client.read.TestRegion.BUCKETS;
import static org.onesided.client.read.TestRegion.EPOCH;
import static org.onesided.client.read.TestRegion.bytes;

import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.client.session.Counters;
import org.onesided.client.session.RegisteredBuffer;
import org.onesided.client.session.SessionParts;
import org.onesided.client.session.Table;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.SlotWord;
import org.onesided.waiting.Pause;

class LookupTest
{
    private static final byte[] KEY = bytes("key");
    private static final byte[] VALUE = bytes("a value of some length");
    private static final byte[] NEW_VALUE = bytes("another value, which is longer");

    private final TestRegion region = new TestRegion();
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

    private void assertFound(final byte[] key, final byte[] expected)
    {
        assertEquals(Lookup.FOUND, find(key));
        final byte[] value = new byte[records.valueLength()];
        UnsafeApi.copyMemory(null, records.valueAddress(), value, BufferUtil.ARRAY_BASE_OFFSET, value.length);
        assertArrayEquals(expected, value);
    }

    @Test
    void shouldFindAKeyInTwoReadsAndThenInOne()
    {
        region.insert(KEY, VALUE, 2);

        assertFound(KEY, VALUE);
        assertEquals(2, reader.reads.size());
        assertFound(KEY, VALUE);

        assertEquals(3, reader.reads.size());
        assertEquals(1, SessionParts.count(counters, Counters.BUCKET_READS));
        assertEquals(2, SessionParts.count(counters, Counters.RECORD_READS));
        assertEquals(1, SessionParts.count(counters, Counters.MIRROR_HITS));
    }

    @Test
    void shouldFindAnEmptyValue()
    {
        region.insert(KEY, new byte[0], 0);

        assertFound(KEY, new byte[0]);
    }

    @Test
    void shouldReportAbsenceAfterOneBucketRead()
    {
        assertEquals(Lookup.ABSENT, find(KEY));
        assertEquals(1, reader.reads.size());
    }

    @Test
    void shouldReadTheBucketAgainWhateverTheMirrorSaysOfAbsence()
    {
        assertEquals(Lookup.ABSENT, find(KEY));
        region.insert(KEY, VALUE, 0);

        assertFound(KEY, VALUE);
    }

    /** A chain of two buckets, the key in the second. */
    private void chain()
    {
        region.header(bucket, BucketDescriptor.LIVE, EPOCH, 1);
        region.header(BUCKETS + 1, BucketDescriptor.LIVE, EPOCH, -1);
        region.slot(BUCKETS + 1, 6, region.slotOf(KEY, VALUE, region.record(KEY, VALUE)));
    }

    private void tag(final int tag)
    {
        region.header(bucket, BucketDescriptor.withTag(region.header(bucket), tag));
    }

    @Test
    void shouldLookAgainAtTheFirstBucketBeforeItReportsAbsenceFromAChain()
    {
        chain();
        region.slot(BUCKETS + 1, 6, SlotWord.EMPTY);

        assertEquals(Lookup.ABSENT, find(KEY));
        assertEquals(3, reader.reads.size());
        // Now the header is known.
        assertEquals(Lookup.ABSENT, find(KEY));
        assertEquals(5, reader.reads.size());
    }

    @Test
    void shouldFindAKeyThatMovedIntoTheFirstBucketAfterItWasRead()
    {
        chain();
        reader.before(1, () ->
        {
            region.slot(bucket, 3, region.slot(BUCKETS + 1, 6));
            region.slot(BUCKETS + 1, 6, SlotWord.EMPTY);
        });

        assertFound(KEY, VALUE);
        assertEquals(4, reader.reads.size());
    }

    @Test
    void shouldStartAgainWhereTheTagChanged()
    {
        chain();
        final long word = region.slot(BUCKETS + 1, 6);
        region.slot(BUCKETS + 1, 6, SlotWord.EMPTY);
        region.header(BUCKETS + 1, BucketDescriptor.LIVE, EPOCH, 2);
        region.header(BUCKETS + 2, BucketDescriptor.LIVE, EPOCH, -1);
        region.slot(BUCKETS + 2, 0, word);
        // The key moves from the third bucket to the second, when the lookup has READ that.
        reader.before(2, () ->
        {
            region.slot(BUCKETS + 1, 0, word);
            tag(1);
            region.slot(BUCKETS + 2, 0, SlotWord.EMPTY);
        });

        assertFound(KEY, VALUE);
        assertEquals(6, reader.reads.size());
    }

    @Test
    void shouldNotTrustASingleBucketWithATag()
    {
        tag(1);
        final long offset = region.record(KEY, VALUE);
        reader.before(1, () -> region.slot(bucket, 0, region.slotOf(KEY, VALUE, offset)));

        assertFound(KEY, VALUE);
        assertEquals(3, reader.reads.size());
    }

    @Test
    void shouldReportAbsenceFromABucketWithTheTagThatTheMirrorKnew()
    {
        tag(1);
        assertEquals(Lookup.ABSENT, find(KEY));
        assertEquals(2, reader.reads.size());
        assertEquals(Lookup.ABSENT, find(KEY));
        assertEquals(3, reader.reads.size());

        tag(2);
        assertEquals(Lookup.ABSENT, find(KEY));
        assertEquals(5, reader.reads.size());
    }

    @Test
    void shouldNotTakeAbsenceFromAMirrorThatKnewOfNoOverflow()
    {
        tag(1);
        assertEquals(Lookup.ABSENT, find(KEY));
        chain();
        tag(1);

        assertFound(KEY, VALUE);
    }

    @Test
    void shouldFollowTheChainAndRememberIt()
    {
        chain();

        assertFound(KEY, VALUE);
        assertEquals(3, reader.reads.size());
        assertFound(KEY, VALUE);
        assertEquals(4, reader.reads.size());
    }

    /** An old place that the mirror knows and a new one, told of by the slot; returns the old one. */
    private long moved()
    {
        final long old = region.insert(KEY, VALUE, 0);
        assertFound(KEY, VALUE);
        reader.reads.clear();
        region.insert(KEY, VALUE, 0);
        return old;
    }

    @Test
    void shouldGoWhereADeadRecordSaysThatTheNewOneIs()
    {
        region.kill(moved(), region.slot(bucket, 0));

        assertFound(KEY, VALUE);
        assertEquals(2, reader.reads.size());
        assertEquals(1, SessionParts.count(counters, Counters.FORWARD_HITS));
        assertFound(KEY, VALUE);
        assertEquals(3, reader.reads.size());
        assertEquals(1, SessionParts.count(counters, Counters.FORWARD_HITS));
    }

    @Test
    void shouldReadTheBucketWhereADeadRecordSaysNothingPlausible()
    {
        final long old = moved();
        final long right = region.slot(bucket, 0);
        final long outside = TestRegion.HEAP + TestRegion.HEAP_LENGTH;
        for (final long wrong : new long[] {
            0,
            1L << 48 | 5,
            right ^ 1L << 48,
            region.slotOf(KEY, VALUE, outside),
            region.slotOf(KEY, VALUE, 0),
            region.slotOf(KEY, new byte[200_000], outside),
            right & ~(0xFFFL << 36)})
        {
            region.kill(old, wrong);
            region.slot(bucket, 0, region.slotOf(KEY, VALUE, old));
            warm();
            region.slot(bucket, 0, right);
            reader.reads.clear();

            assertFound(KEY, VALUE);
            assertEquals(3, reader.reads.size(), Long.toHexString(wrong));
        }
        assertEquals(0, SessionParts.count(counters, Counters.FORWARD_HITS));
    }

    /** Lets the mirror have the bucket as it is. */
    private void warm()
    {
        final RegisteredBuffer line = region.buffer(BucketDescriptor.LENGTH);
        final long hash = region.hash(KEY);
        final int shard = lookup.shardOf(hash);
        final long index = lookup.firstBucket(shard, hash);
        lookup.enqueueBucket(shard, index, line, 0);
        reader.complete();
        lookup.takeBucket(shard, index, line.range().address());
    }

    @Test
    void shouldNotFollowForwardsForEver()
    {
        final long old = moved();
        region.kill(old, region.slotOf(KEY, VALUE, old));

        assertFound(KEY, VALUE);
        assertEquals(6, reader.reads.size());
    }

    @Test
    void shouldReadTheBucketWhenTheForwardLeadsToAnotherKey()
    {
        final long old = moved();
        final byte[] other = region.anotherKeyInBucketOf(KEY);
        region.kill(old, region.forgedSlot(KEY, other, VALUE, region.record(other, VALUE)));

        assertFound(KEY, VALUE);
        assertEquals(4, reader.reads.size());
    }

    @Test
    void shouldReadAgainARecordThatIsBeingWritten()
    {
        final long offset = region.insert(KEY, VALUE, 0);
        final long code = region.codeOf(offset);
        region.check(offset, RecordDescriptor.BEING_WRITTEN);
        reader.before(3, () -> region.check(offset, code));

        assertFound(KEY, VALUE);
        assertEquals(4, reader.reads.size());
        assertEquals(1, SessionParts.count(counters, Counters.BUCKET_READS));
    }

    @Test
    void shouldReadAgainATornRecord()
    {
        final long offset = region.insert(KEY, VALUE, 0);
        final long last = region.address + offset + RecordDescriptor.length(KEY.length, VALUE.length) - 1;
        UnsafeApi.putByte(last, (byte)'?');
        reader.before(2, () -> UnsafeApi.putByte(last, VALUE[VALUE.length - 1]));

        assertFound(KEY, VALUE);
        assertEquals(3, reader.reads.size());
    }

    @Test
    void shouldGoBackToTheBucketWhenTheRecordIsDead()
    {
        final long old = region.insert(KEY, VALUE, 0);
        assertFound(KEY, VALUE);
        region.check(old, RecordDescriptor.DEAD);
        region.insert(KEY, NEW_VALUE, 0);

        assertFound(KEY, NEW_VALUE);
        assertEquals(5, reader.reads.size());
    }

    @Test
    void shouldSettleAnOutOfPlacePutAmidItsSteps()
    {
        final long old = region.insert(KEY, VALUE, 0);
        final long fresh = region.record(KEY, NEW_VALUE);
        final long code = region.codeOf(fresh);
        region.check(fresh, RecordDescriptor.BEING_WRITTEN);
        reader
            .before(1, () -> region.check(old, RecordDescriptor.DEAD))
            .before(2, () -> region.slot(bucket, 0, region.slotOf(KEY, NEW_VALUE, fresh)))
            .before(5, () -> region.check(fresh, code));

        assertFound(KEY, NEW_VALUE);
    }

    @Test
    void shouldNotTakeADeadRecordForAbsence()
    {
        region.check(region.insert(KEY, VALUE, 0), RecordDescriptor.DEAD);

        assertEquals(Lookup.UNSETTLED, find(KEY));
    }

    @Test
    void shouldNotTakeARecordThatStaysBeingWrittenForAbsence()
    {
        region.check(region.insert(KEY, VALUE, 0), RecordDescriptor.BEING_WRITTEN);

        assertEquals(Lookup.UNSETTLED, find(KEY));
    }

    @Test
    void shouldReportAbsenceOnceTheSlotIsEmpty()
    {
        final long offset = region.insert(KEY, VALUE, 0);
        reader
            .before(1, () -> region.check(offset, RecordDescriptor.DEAD))
            .before(2, () -> region.slot(bucket, 0, SlotWord.EMPTY));

        assertEquals(Lookup.ABSENT, find(KEY));
        assertEquals(3, reader.reads.size());
    }

    @Test
    void shouldGoToTheBucketWhenTheMirrorPointsToAnotherKey()
    {
        final long offset = region.insert(KEY, VALUE, 0);
        assertFound(KEY, VALUE);
        region.recordAt(offset, region.anotherKeyInBucketOf(KEY), new byte[0]);
        region.insert(KEY, NEW_VALUE, 0);

        assertFound(KEY, NEW_VALUE);
        assertEquals(5, reader.reads.size());
    }

    @Test
    void shouldLeaveAbsenceBehindAnotherKeysRecordToTheServer()
    {
        final byte[] other = region.anotherKeyInBucketOf(KEY);
        region.slot(bucket, 0, region.forgedSlot(KEY, other, VALUE, region.record(other, VALUE)));

        assertEquals(Lookup.UNSETTLED, find(KEY));
        assertEquals(2, reader.reads.size());
    }

    @Test
    void shouldFindTheKeyBehindOneOfTheSameFingerprint()
    {
        final byte[] other = region.anotherKeyInBucketOf(KEY);
        region.slot(bucket, 0, region.forgedSlot(KEY, other, VALUE, region.record(other, VALUE)));
        region.insert(KEY, NEW_VALUE, 1);

        assertFound(KEY, NEW_VALUE);
    }

    @Test
    void shouldNotTakeAbsenceFromARecordThatTookThePlaceOfTheKeys()
    {
        final long offset = region.insert(KEY, VALUE, 0);
        final byte[] other = region.anotherKeyInBucketOf(KEY);
        // Between bucket and record the key moves, and its old place goes to another key.
        reader.before(1, () ->
        {
            region.check(offset, RecordDescriptor.DEAD);
            region.insert(KEY, NEW_VALUE, 0);
            region.recordAt(offset, other, new byte[0]);
        });

        assertEquals(Lookup.UNSETTLED, find(KEY));
        assertFound(KEY, NEW_VALUE);
    }

    @Test
    void shouldNeverReadWhereASlotPointsOutsideTheHeap()
    {
        final int fingerprint = KeyHash.fingerprint(region.hash(KEY));
        final long end = TestRegion.HEAP_LENGTH;
        final long[] words = {
            SlotWord.of(fingerprint, 64, end),
            SlotWord.of(fingerprint, 64, end - 16),
            SlotWord.of(fingerprint, 64, 1L << 39),
            SlotWord.of(fingerprint, 0, 0),
            SlotWord.of(fingerprint, 1 << 20, end),
        };
        for (final long word : words)
        {
            region.slot(bucket, 0, word);
            reader.reads.clear();

            assertEquals(Lookup.UNSETTLED, find(KEY));
            assertTrue(reader.reads.stream().allMatch(read -> read.length() == BucketDescriptor.LENGTH));
        }
    }

    @Test
    void shouldReadNothingBehindTheHeapForARecordThatEndsWithIt()
    {
        final byte[] value = new byte[40_000];
        value[value.length - 1] = 9;
        final long length = SlotWord.granules(RecordDescriptor.length(KEY.length, value.length)) * SlotWord.GRANULE;
        final long offset = TestRegion.HEAP + TestRegion.HEAP_LENGTH - length;
        region.recordAt(offset, KEY, value);
        final long word = region.slotOf(KEY, value, offset);
        assertTrue(SlotWord.length(word) > length);
        region.slot(bucket, 0, word);

        assertFound(KEY, value);
        assertEquals(new ScriptedReader.Read(offset, length), reader.reads.get(1));
        assertEquals(2, reader.reads.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 40_000, 300_000})
    void shouldLeaveARecordWithFlagsToTheServer(final int valueLength)
    {
        final long offset = region.insert(KEY, new byte[valueLength], 0);
        assertEquals(Lookup.FOUND, find(KEY));
        UnsafeApi.putShort(region.address + offset + RecordDescriptor.FLAGS_OFFSET, (short)0x8000);
        region.check(offset, region.codeOf(offset));

        assertEquals(Lookup.UNSETTLED, find(KEY));
    }

    @Test
    void shouldNotBelieveARecordWhoseLengthsPassWhatWasRead()
    {
        final long offset = region.insert(KEY, VALUE, 0);
        UnsafeApi.putInt(region.address + offset + RecordDescriptor.VALUE_LENGTH_OFFSET, Integer.MAX_VALUE);

        assertEquals(Lookup.UNSETTLED, find(KEY));
    }

    @Test
    void shouldNotTakeAbsenceFromABucketThatIsNotLive()
    {
        region.header(bucket, BucketDescriptor.NOT_A_BUCKET, EPOCH, -1);
        assertEquals(Lookup.UNSETTLED, find(KEY));

        region.header(bucket, BucketDescriptor.MIGRATED, EPOCH, -1);
        assertEquals(Lookup.UNSETTLED, find(KEY));

        region.header(bucket, BucketDescriptor.LIVE, EPOCH + 1, -1);
        assertEquals(Lookup.UNSETTLED, find(KEY));
    }

    @Test
    void shouldNotTakeAbsenceFromAnOverflowBucketThatIsNotLive()
    {
        region.header(bucket, BucketDescriptor.LIVE, EPOCH, 0);

        assertEquals(Lookup.UNSETTLED, find(KEY));
    }

    @Test
    void shouldEndOnAChainThatPointsOutsideOrRunsInCircles()
    {
        region.header(bucket, BucketDescriptor.LIVE, EPOCH, TestRegion.OVERFLOW_BUCKETS);
        assertEquals(Lookup.UNSETTLED, find(KEY));

        region.header(bucket, BucketDescriptor.LIVE, EPOCH, 0);
        region.header(BUCKETS, BucketDescriptor.LIVE, EPOCH, 0);
        assertEquals(Lookup.UNSETTLED, find(KEY));
    }

    @Test
    void shouldReadALongRecordHeaderFirst()
    {
        final byte[] value = new byte[300_000];
        value[value.length - 1] = 7;
        final long offset = region.insert(KEY, value, 0);

        assertFound(KEY, value);
        assertEquals(new ScriptedReader.Read(offset, RecordDescriptor.HEADER_LENGTH), reader.reads.get(1));
        assertEquals(new ScriptedReader.Read(
            offset + RecordDescriptor.HEADER_LENGTH, KEY.length + value.length), reader.reads.get(2));
        assertEquals(3, reader.reads.size());
    }

    @Test
    void shouldNotMixHeaderAndRestOfTwoLongRecords()
    {
        final byte[] value = new byte[300_000];
        final byte[] newValue = new byte[300_000];
        newValue[0] = 1;
        final long offset = region.insert(KEY, value, 0);
        reader.before(2, () -> region.recordAt(offset, KEY, newValue));

        assertFound(KEY, newValue);
    }

    @Test
    void shouldNotReadALongRecordBeyondTheHeap()
    {
        final byte[] value = new byte[300_000];
        final long offset = region.insert(KEY, value, 0);
        UnsafeApi.putInt(
            region.address + offset + RecordDescriptor.VALUE_LENGTH_OFFSET, (int)TestRegion.HEAP_LENGTH);

        assertEquals(Lookup.UNSETTLED, find(KEY));
        assertTrue(reader.reads.stream().allMatch(read -> read.length() <= BucketDescriptor.LENGTH));
    }

    @Test
    void shouldFindWhatAnAnswerPutIntoTheMirrorInOneRead()
    {
        final long offset = region.insert(KEY, VALUE, 5);
        table.mirror().update(table.bucketNumber(0, bucket), 5, region.slotOf(KEY, VALUE, offset));

        assertFound(KEY, VALUE);
        assertEquals(1, reader.reads.size());
    }
}
