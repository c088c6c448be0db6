package org.onesided.client.read;

import org.agrona.UnsafeApi;
import org.onesided.client.session.Counters;
import org.onesided.client.session.RegionReader;
import org.onesided.client.session.RegisteredBuffer;
import org.onesided.client.session.Table;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.SlotWord;

/**
 * Tells a scan whether a record that it READ is its slot's own.
 *
 * <p>Two keys of a chain may share a fingerprint. Between the READ of a bucket and that of a record, the slot's record
 * may move and the other key's take its place: that is live, and fits the slot word, but the other slot names it. A
 * scan that took it would leave a present key out, and pass another one twice.
 *
 * <p><strong>What needs no proof.</strong> A record that was written before the bucket was READ, and is live now, had a
 * slot of its fingerprint all the while. So it is this one's, if its chain is {@linkplain ChainChunk settled} and no
 * other slot of the first bucket has the fingerprint. Versions increase within a shard, so one that is no higher than
 * any seen before was written before: of a table at rest, hardly any record needs a proof.
 *
 * <p><strong>The proof.</strong> The bucket and then the record's head, READ once more, show the same slot word, check
 * word and version. So the slot named the record in between. One case escapes the proof: between two READs, compaction
 * moves the record away, the twin takes its place and leaves it, and compaction moves the record back.
 *
 * <p><strong>A key that is written all the time</strong> never shows one version twice. After a few attempts the proof
 * accepts the same key at the same place, if its chain is settled and both READs of the bucket show no other slot with
 * the fingerprint; after many attempts it accepts that in any case. One case escapes this weaker proof: within three
 * READs the key leaves its place, its twin takes it and leaves it, and the key comes back.
 *
 * <pre>
 *  space:  +-----------------------+---------------------------------------+-----------------------+---------+
 *          | buckets of the chunk  | heads of records: check word, version | one bucket, one head  | one key |
 *          +-----------------------+---------------------------------------+-----------------------+---------+
 * </pre>
 *
 * <p>Not thread-safe.
 */
final class SlotProof
{
    private static final int HEAD_LENGTH = RecordDescriptor.VERSION_OFFSET + Long.BYTES;
    private static final long BUCKETS_LENGTH = (long)ChainChunk.MAX_BUCKETS * BucketDescriptor.LENGTH;
    private static final int ALONE_LENGTH = BucketDescriptor.LENGTH + HEAD_LENGTH;

    private final Table table;
    private final RegisteredBuffer space;
    private final long bucketsStart;
    private final long headsStart;
    private final long aloneStart;
    /** Slots that need a proof, in their order. */
    private final int[] slots;
    private final long[] words;
    private int count;
    /** Of those, the next to be asked for. */
    private int next;
    private ChainChunk chunk;
    private int shard;
    /** Highest version seen in the shard, and that when the chunk was READ. */
    private long highest;
    private long known;

    /**
     * @param space    of the scan.
     * @param start    of {@link #spaceLength} bytes in it.
     * @param capacity slots of a batch.
     */
    SlotProof(final Table table, final RegisteredBuffer space, final long start, final int capacity)
    {
        this.table = table;
        this.space = space;
        bucketsStart = start;
        headsStart = start + BUCKETS_LENGTH;
        aloneStart = headsStart + (long)HEAD_LENGTH * capacity;
        slots = new int[capacity];
        words = new long[capacity];
    }

    static long spaceLength(final int capacity)
    {
        return BUCKETS_LENGTH + (long)HEAD_LENGTH * capacity + ALONE_LENGTH + RecordDescriptor.MAX_KEY_LENGTH;
    }

    /** A chunk of a shard's chains is READ next. */
    void begin(final ChainChunk next, final int of)
    {
        if (of != shard)
        {
            highest = 0;
        }
        chunk = next;
        shard = of;
        known = highest;
    }

    /** A record with this version was read whole. */
    void saw(final long version)
    {
        if (Long.compareUnsigned(version, highest) > 0)
        {
            highest = version;
        }
    }

    void beginBatch()
    {
        count = 0;
        next = 0;
    }

    /**
     * Adds a slot whose record was READ.
     *
     * @param slot   of the chunk, higher than those before.
     * @param record raw address of the record as it was READ.
     */
    void add(final int slot, final long record)
    {
        if (isNeeded(chunk.address(ChainChunk.bucketOf(slot)), slot, record))
        {
            slots[count] = slot;
            words[count] = chunk.word(slot);
            count++;
        }
    }

    /** READs what proves those that were added, where they need it. */
    void read(final RegionReader reader, final Counters counters)
    {
        if (count == 0)
        {
            return;
        }
        int last = -1;
        for (int i = 0; i < count; i++)
        {
            final int bucket = ChainChunk.bucketOf(slots[i]);
            if (bucket != last)
            {
                chunk.enqueue(reader, bucket, space, place(slots[i]));
                last = bucket;
            }
        }
        reader.complete();
        for (int i = 0; i < count; i++)
        {
            reader.enqueue(shard, table.shard(shard).recordOffset(words[i]), HEAD_LENGTH, space, headPlace(i));
        }
        reader.complete();
        counters.add(Counters.RECORD_READS, count);
        counters.add(Counters.BYTES_READ, (long)count * HEAD_LENGTH);
    }

    /**
     * Finds out whether a record is the slot's. To be called in the order of the slots.
     *
     * @param word    of the slot, that led to the record.
     * @param records which hold the record, judged live.
     */
    boolean prove(final int slot, final long word, final RecordReader records)
    {
        while (next < count && slots[next] < slot)
        {
            next++;
        }
        if (next == count || slots[next] != slot)
        {
            return true;
        }
        return proves(slot, word, place(slot), headPlace(next), records);
    }

    /**
     * As all the others together, for one slot amid a batch.
     *
     * @param line    raw address of the slot's bucket, as it was READ before the record.
     * @param records which hold the record, judged live.
     */
    boolean proveAlone(
        final RegionReader reader,
        final int slot,
        final long line,
        final RecordReader records,
        final Counters counters)
    {
        if (!isNeeded(line, slot, records.headAddress()))
        {
            return true;
        }
        final long word = word(line, slot);
        final long head = aloneStart + BucketDescriptor.LENGTH;
        readAlone(reader, slot);
        reader.read(shard, table.shard(shard).recordOffset(word), HEAD_LENGTH, space, head);
        counters.increment(Counters.RECORD_READS);
        counters.add(Counters.BYTES_READ, HEAD_LENGTH);
        return proves(slot, word, aloneStart, head, records);
    }

    /**
     * As {@link #proveAlone}, for a record that changes all the time: leaves a later state of it in the records.
     *
     * @param amongTwins even if another slot of the chain may have the fingerprint.
     */
    boolean proveChanging(
        final RegionReader reader,
        final int slot,
        final long line,
        final boolean amongTwins,
        final RecordReader records)
    {
        if (!amongTwins && mayShare(line, slot))
        {
            return false;
        }
        final int keyLength = records.keyLength();
        final long key = space.addressOf(aloneStart + ALONE_LENGTH, keyLength);
        UnsafeApi.copyMemory(records.keyAddress(), key, keyLength);
        final long word = word(line, slot);
        readAlone(reader, slot);
        final long again = space.addressOf(aloneStart, BucketDescriptor.LENGTH);
        return BucketDescriptor.isLive(UnsafeApi.getLong(again), table.epoch()) &&
            word(again, slot) == word &&
            (amongTwins || !mayShare(again, slot)) &&
            records.read(shard, word) == RecordReader.LIVE &&
            records.hasKey(key, keyLength);
    }

    /** READs the bucket of a slot anew. */
    private void readAlone(final RegionReader reader, final int slot)
    {
        chunk.enqueue(reader, ChainChunk.bucketOf(slot), space, aloneStart);
        reader.complete();
    }

    private boolean isNeeded(final long line, final int slot, final long record)
    {
        final long version = UnsafeApi.getLong(record + RecordDescriptor.VERSION_OFFSET);
        return Long.compareUnsigned(version, known) > 0 || mayShare(line, slot);
    }

    private boolean proves(
        final int slot, final long word, final long linePlace, final long head, final RecordReader records)
    {
        final long line = space.addressOf(linePlace, BucketDescriptor.LENGTH);
        return BucketDescriptor.isLive(UnsafeApi.getLong(line), table.epoch()) &&
            word(line, slot) == word &&
            records.hasHead(space.addressOf(head, HEAD_LENGTH));
    }

    /** Where in the space the bucket of a slot is, READ anew. */
    private long place(final int slot)
    {
        return bucketsStart + (long)ChainChunk.bucketOf(slot) * BucketDescriptor.LENGTH;
    }

    private long headPlace(final int i)
    {
        return headsStart + (long)i * HEAD_LENGTH;
    }

    /** Whether the chain of a slot may have another slot of the same fingerprint. */
    private boolean mayShare(final long line, final int slot)
    {
        final int bucket = ChainChunk.bucketOf(slot);
        if (!chunk.isFirst(bucket) || !chunk.isSettled(bucket) ||
            BucketDescriptor.overflow(UnsafeApi.getLong(line)) >= 0)
        {
            return true;
        }
        final int fingerprint = SlotWord.fingerprint(word(line, slot));
        final int own = slot % BucketDescriptor.SLOT_COUNT;
        for (int i = 0; i < BucketDescriptor.SLOT_COUNT; i++)
        {
            final long other = word(line, i);
            if (i != own && other != SlotWord.EMPTY && SlotWord.fingerprint(other) == fingerprint)
            {
                return true;
            }
        }
        return false;
    }

    private static long word(final long line, final int slot)
    {
        return UnsafeApi.getLong(line + ChainChunk.slotOffset(slot));
    }
}
