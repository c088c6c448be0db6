package org.onesided.client.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.client.read.TestRegion.BUCKETS;
import static org.onesided.client.read.TestRegion.EPOCH;
import static org.onesided.client.read.TestRegion.bytes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onesided.client.session.Counters;
import org.onesided.client.session.RegisteredBuffer;
import org.onesided.client.session.SessionParts;
import org.onesided.client.session.Table;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.SlotWord;

class SlotProofTest
{
    private static final byte[] KEY = bytes("key");
    private static final byte[] VALUE = bytes("v");
    private static final int CAPACITY = 8;
    private static final long RECORDS = 0;
    private static final long RECORD = 64;
    private static final long PROOF = RECORDS + 2 * RECORD;

    private final TestRegion region = new TestRegion();
    private final ScriptedReader reader = new ScriptedReader(region);
    private final Table table = SessionParts.table(region.superblock, 1 << 20, HeapMemory::new);
    private final RecordReader records = new RecordReader(
        reader, table, region.buffer(RecordReader.MAX_SHORT_LENGTH), region::buffer, new Counters());
    private final RegisteredBuffer space = region.buffer(PROOF + SlotProof.spaceLength(CAPACITY));
    private final byte[] twin = region.anotherKeyInBucketOf(KEY);
    private final long bucket = region.bucketOf(KEY);
    private final Counters counters = new Counters();
    private final ChainChunk chunk = new ChainChunk(table, region.buffer(ChainChunk.SPACE_LENGTH), counters);
    private SlotProof proof;

    @BeforeEach
    void begin()
    {
        proof = new SlotProof(table, space, PROOF, CAPACITY);
    }

    @AfterEach
    void free()
    {
        region.close();
    }

    /** READs as a scan does, the bucket and then the records of its first two slots; which of them it takes. */
    private List<Boolean> scan()
    {
        proof.begin(chunk, 0);
        chunk.read(reader, 0, bucket, 1);
        for (int i = 0; i < 2; i++)
        {
            if (word(i) != SlotWord.EMPTY)
            {
                reader.read(0, table.shard(0).recordOffset(word(i)), length(i), space, RECORDS + i * RECORD);
            }
        }
        proof.beginBatch();
        for (int i = 0; i < 2; i++)
        {
            if (word(i) != SlotWord.EMPTY)
            {
                proof.add(i, space.addressOf(RECORDS + i * RECORD, RECORD));
            }
        }
        proof.read(reader, new Counters());
        final List<Boolean> outcomes = new ArrayList<>();
        for (int i = 0; i < 2; i++)
        {
            outcomes.add(judge(i) && proof.prove(i, word(i), records));
        }
        return outcomes;
    }

    private boolean judge(final int i)
    {
        return word(i) != SlotWord.EMPTY && RecordReader.LIVE == records.judge(
            space.addressOf(RECORDS + i * RECORD, RECORD), length(i), table.shard(0).recordOffset(word(i)));
    }

    private long word(final int i)
    {
        return chunk.word(i);
    }

    private int length(final int i)
    {
        return records.readLength(0, word(i));
    }

    /** Lets the scan know all versions there are. */
    private void knowAll()
    {
        proof.saw(1000);
    }

    private void insertTwins()
    {
        region.insert(KEY, VALUE, 0);
        region.slot(bucket, 1, region.forgedSlot(KEY, twin, VALUE, region.record(twin, VALUE)));
    }

    @Test
    void shouldReadNothingMoreOfATableAtRest()
    {
        region.insert(KEY, VALUE, 0);
        knowAll();

        assertEquals(List.of(true, false), scan());
        assertEquals(2, reader.reads.size());
    }

    @Test
    void shouldProveWhatMayBeNewerThanTheBucket()
    {
        region.insert(KEY, VALUE, 0);

        assertEquals(List.of(true, false), scan());
        assertEquals(4, reader.reads.size());
    }

    @Test
    void shouldKnowVersionsOnlyFromTheNextChunkOn()
    {
        region.insert(KEY, VALUE, 0);
        proof.begin(chunk, 0);
        knowAll();
        chunk.read(reader, 0, bucket, 1);
        assertEquals(RecordReader.LIVE, records.read(0, word(0)));
        reader.reads.clear();

        assertTrue(proof.proveAlone(reader, 0, chunk.address(0), records, counters));
        assertEquals(2, reader.reads.size());
        proof.begin(chunk, 0);
        assertTrue(proof.proveAlone(reader, 0, chunk.address(0), records, counters));
        assertEquals(2, reader.reads.size());
    }

    @Test
    void shouldProveTwinsWhateverTheirVersions()
    {
        insertTwins();
        knowAll();

        assertEquals(List.of(true, true), scan());
        assertEquals(6, reader.reads.size());
    }

    @Test
    void shouldProveWhatHasALongerChain()
    {
        region.insert(KEY, VALUE, 0);
        region.header(bucket, BucketDescriptor.LIVE, EPOCH, 1);
        region.header(BUCKETS + 1, BucketDescriptor.LIVE, EPOCH, -1);
        knowAll();

        assertEquals(List.of(true, false), scan());
        assertEquals(5, reader.reads.size());
    }

    @Test
    void shouldReadNoMoreOfAChainThatASecondReadSettled()
    {
        region.insert(KEY, VALUE, 0);
        region.header(bucket, BucketDescriptor.withTag(region.header(bucket), 1));
        knowAll();

        assertEquals(List.of(true, false), scan());
        assertEquals(3, reader.reads.size());
    }

    @Test
    void shouldNotTakeTheRecordOfATwin()
    {
        insertTwins();
        knowAll();
        reader.before(1, () ->
        {
            final long old = table.shard(0).recordOffset(region.slot(bucket, 0));
            region.insert(KEY, VALUE, 0);
            region.recordAt(old, twin, VALUE);
            region.slot(bucket, 1, region.forgedSlot(KEY, twin, VALUE, old));
        });

        assertFalse(scan().get(0));
    }

    @Test
    void shouldProveARecordThatChangesBetweenAllReads()
    {
        region.insert(KEY, VALUE, 0);
        final long place = table.shard(0).recordOffset(region.slot(bucket, 0));
        reader.always(() -> region.recordAt(place, KEY, VALUE));
        proof.begin(chunk, 0);
        chunk.read(reader, 0, bucket, 1);
        final long line = chunk.address(0);
        assertEquals(RecordReader.LIVE, records.read(0, word(0)));

        assertFalse(proof.proveAlone(reader, 0, line, records, counters));
        final long version = records.version();
        assertTrue(proof.proveChanging(reader, 0, line, false, records));
        assertTrue(records.version() > version);
    }

    @Test
    void shouldNotTakeAnotherKeyForARecordThatChanges()
    {
        region.insert(KEY, VALUE, 0);
        final long place = table.shard(0).recordOffset(region.slot(bucket, 0));
        proof.begin(chunk, 0);
        chunk.read(reader, 0, bucket, 1);
        final long line = chunk.address(0);
        assertEquals(RecordReader.LIVE, records.read(0, word(0)));
        region.recordAt(place, twin, VALUE);

        assertFalse(proof.proveChanging(reader, 0, line, true, records));
    }

    @Test
    void shouldProveARecordThatChangesAmongTwinsOnlyInTheEnd()
    {
        insertTwins();
        proof.begin(chunk, 0);
        chunk.read(reader, 0, bucket, 1);
        assertEquals(RecordReader.LIVE, records.read(0, word(0)));

        final long line = chunk.address(0);
        assertFalse(proof.proveChanging(reader, 0, line, false, records));
        assertTrue(proof.proveChanging(reader, 0, line, true, records));
    }

    /**
     * Two keys of one fingerprint in one bucket and three places for their records: whatever a server does with them,
     * and between which READs, no record is taken for another slot's.
     */
    @Test
    void shouldTakeNoRecordForAnotherSlotsInAnyOrder()
    {
        final int steps = 4;
        final int points = 6;
        int taken = 0;
        for (int knows = 0; knows < 2; knows++)
        {
            for (int code = 0; code < power(Step.values().length, steps); code++)
            {
                final int[] at = new int[steps];
                do
                {
                    taken += play(knows > 0, code, at);
                }
                while (next(at, points));
            }
        }
        // Most of them must be taken: a proof that never holds would be none.
        assertTrue(taken > 50_000, "taken=" + taken);
    }

    private int play(final boolean knows, final int code, final int[] at)
    {
        final Twins twins = new Twins();
        final ScriptedReader scripted = new ScriptedReader(region);
        final boolean[] isOwn = new boolean[2];
        int rest = code;
        for (final int point : at)
        {
            final Step step = Step.values()[rest % Step.values().length];
            rest /= Step.values().length;
            scripted.before(point, () -> twins.take(step));
        }
        proof = new SlotProof(table, space, PROOF, CAPACITY);
        if (knows)
        {
            proof.saw(2);
        }
        proof.begin(chunk, 0);
        chunk.read(scripted, 0, bucket, 1);
        proof.beginBatch();
        for (int i = 0; i < 2; i++)
        {
            if (word(i) != SlotWord.EMPTY)
            {
                scripted.read(0, table.shard(0).recordOffset(word(i)), length(i), space, RECORDS + i * RECORD);
                isOwn[i] = twins.extents[i] == table.shard(0).recordOffset(word(i));
                proof.add(i, space.addressOf(RECORDS + i * RECORD, RECORD));
            }
        }
        proof.read(scripted, new Counters());
        int taken = 0;
        for (int i = 0; i < 2; i++)
        {
            if (judge(i) && proof.prove(i, word(i), records))
            {
                assertTrue(isOwn[i], () -> "code=" + code + " at=" + Arrays.toString(at));
                taken++;
            }
        }
        return taken;
    }

    private static int power(final int base, final int exponent)
    {
        return exponent == 0 ? 1 : base * power(base, exponent - 1);
    }

    /** The next sequence of that length that never falls; false if there is none. */
    private static boolean next(final int[] at, final int bound)
    {
        int i = at.length - 1;
        while (i >= 0 && at[i] == bound - 1)
        {
            i--;
        }
        if (i >= 0)
        {
            Arrays.fill(at, i, at.length, at[i] + 1);
        }
        return i >= 0;
    }

    /** What a server does at one moment with one of the twins; what cannot be done is left out. */
    private enum Step
    {
        PUT_FIRST, PUT_SECOND, MOVE_FIRST, MOVE_SECOND, DELETE_SECOND
    }

    /** Two keys and three extents, of which a put or a move takes the lowest free one. */
    private final class Twins
    {
        private final byte[][] keys = {KEY, twin};
        private final long[] extents = {extent(0), extent(1)};
        private final long[] versions = {1, 2};
        private long version = 2;

        Twins()
        {
            region.kill(extent(2), 0);
            write(0, extents[0]);
            write(1, extents[1]);
        }

        void take(final Step step)
        {
            switch (step)
            {
                case PUT_FIRST -> put(0);
                case PUT_SECOND -> put(1);
                case MOVE_FIRST -> write(0, freeExtent());
                case MOVE_SECOND -> write(1, extents[1] == 0 ? 0 : freeExtent());
                case DELETE_SECOND -> write(1, 0);
            }
        }

        private void put(final int key)
        {
            versions[key] = ++version;
            write(key, freeExtent());
        }

        private long freeExtent()
        {
            int i = 0;
            while (extents[0] == extent(i) || extents[1] == extent(i))
            {
                i++;
            }
            return extent(i);
        }

        /** Gives a key another place, or none. */
        private void write(final int key, final long place)
        {
            if (extents[key] != 0)
            {
                region.kill(extents[key], 0);
            }
            extents[key] = place;
            if (place == 0)
            {
                region.slot(bucket, key, SlotWord.EMPTY);
                return;
            }
            region.recordAt(place, keys[key], VALUE);
            UnsafeApi.putLong(region.address + place + RecordDescriptor.VERSION_OFFSET, versions[key]);
            region.check(place, region.codeOf(place));
            region.slot(bucket, key, region.forgedSlot(KEY, keys[key], VALUE, place));
        }

        private static long extent(final int i)
        {
            return TestRegion.HEAP + i * 4096L;
        }
    }
}
