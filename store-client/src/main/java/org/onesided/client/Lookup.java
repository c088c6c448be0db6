package org.onesided.client;

import org.agrona.UnsafeApi;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.SlotWord;

/**
 * Looks keys up by READs. It rests on one promise of the server: at any moment at most one live record in the region
 * holds a key, so a live record with the key, read whole, was the key's value at the moment its check word was fetched,
 * wherever the hint came from. Absence is taken only from one pass over live buckets READ in this very call.
 *
 * <p>What a record READ shows decides what is next:
 * <ul>
 * <li>being written or torn: READ it again, then the bucket;
 * <li>dead: READ the record that it says took its place, or else the bucket;
 * <li>live with another key: if the mirror pointed there, READ the bucket; if a fresh bucket did, the two keys share a
 *     fingerprint only if bucket and record, READ once more, show the same slot word and version.
 * </ul>
 * When time is up the caller asks the server. Not thread-safe.
 */
final class Lookup
{
    /** The key was found; the record reader holds its record. */
    static final int FOUND = 0;
    /** The key is absent. */
    static final int ABSENT = 1;
    /** READs could not settle it in time. */
    static final int UNSETTLED = 2;

    private static final int AGAIN = 3;
    private static final int REREADS = 8;
    private static final int MAX_FORWARDS = 3;
    private static final int MIN_PASSES = 4;

    private final RegionReader reader;
    private final RecordReader records;
    private final Table table;
    private final Mirror mirror;
    private final RegisteredBuffer lines;
    private final Counters counters;
    private final Patience patience;

    private long keyAddress;
    private int keyLength;
    private int fingerprint;
    private int shard;
    /** Where the mirror's slot word was. */
    private long mirroredLine;

    /**
     * @param lines    room for two buckets.
     * @param patience for how long READs are tried.
     */
    Lookup(
        final RegionReader reader,
        final RecordReader records,
        final Table table,
        final RegisteredBuffer lines,
        final Counters counters,
        final Patience patience)
    {
        this.reader = reader;
        this.records = records;
        this.table = table;
        this.mirror = table.mirror();
        this.lines = lines;
        this.counters = counters;
        this.patience = patience;
    }

    /** Looks a key up; its bytes stay where they are meanwhile. */
    int find(final long address, final int length, final long hash)
    {
        keyAddress = address;
        keyLength = length;
        fingerprint = KeyHash.fingerprint(hash);
        shard = shardOf(hash);
        final long first = firstBucket(shard, hash);

        final long mirrored = mirroredSlot(shard, first, fingerprint);
        if (mirrored != SlotWord.EMPTY && follow(mirrored))
        {
            return FOUND;
        }

        int outcome = pass(first);
        if (outcome == AGAIN)
        {
            patience.begin();
            int passes = 1;
            while (outcome == AGAIN)
            {
                if (passes >= MIN_PASSES && patience.isOver())
                {
                    return UNSETTLED;
                }
                counters.increment(Counters.RETRIES);
                patience.pause(passes);
                outcome = pass(first);
                passes++;
            }
        }
        return outcome;
    }

    /**
     * READs the record that the mirror points at; if it is dead, the one that it says took its place, and so on, a few
     * times; whether one of them is the key's.
     */
    private boolean follow(final long mirrored)
    {
        long word = mirrored;
        for (int hop = 0; hop <= MAX_FORWARDS; hop++)
        {
            final int outcome = readSettled(word);
            if (outcome == RecordReader.LIVE && records.hasKey(keyAddress, keyLength))
            {
                counters.increment(Counters.MIRROR_HITS);
                if (hop > 0)
                {
                    counters.increment(Counters.FORWARD_HITS);
                    Mirror.replace(mirroredLine, mirrored, word);
                }
                return true;
            }
            word = outcome == RecordReader.DEAD ? records.forward(shard, fingerprint) : SlotWord.EMPTY;
            if (word == SlotWord.EMPTY)
            {
                return false;
            }
        }
        return false;
    }

    int shardOf(final long hash)
    {
        return KeyHash.shard(hash, table.shardCount());
    }

    /** Index in its shard of the bucket that a key's chain begins with. */
    long firstBucket(final int of, final long hash)
    {
        return KeyHash.bucket(hash, table.shard(of).bucketCount());
    }

    /**
     * The slot word that the mirror has for a key, {@link SlotWord#EMPTY} for none; only a guess.
     *
     * @param of     shard of the key.
     * @param first  bucket of its chain.
     * @param wanted fingerprint of its hash.
     */
    long mirroredSlot(final int of, final long first, final int wanted)
    {
        long index = first;
        for (int hop = 0; hop < BucketDescriptor.MAX_CHAIN_LENGTH && index >= 0; hop++)
        {
            final long line = mirror.lineOf(table.bucketNumber(of, index));
            if (line == Mirror.NONE)
            {
                return SlotWord.EMPTY;
            }
            final long word = Mirror.find(line, wanted);
            if (word != SlotWord.EMPTY)
            {
                mirroredLine = line;
                return word;
            }
            index = table.overflowIndex(of, Mirror.overflow(line));
        }
        return SlotWord.EMPTY;
    }

    /** Adds a READ of a bucket. */
    void enqueueBucket(final int of, final long index, final RegisteredBuffer target, final long targetOffset)
    {
        reader.enqueue(of, table.bucketOffset(of, index), BucketDescriptor.LENGTH, target, targetOffset);
        counters.increment(Counters.BUCKET_READS);
        counters.add(Counters.BYTES_READ, BucketDescriptor.LENGTH);
    }

    /** Takes a bucket that was READ into the mirror; whether it is one just now. */
    boolean takeBucket(final int of, final long index, final long address)
    {
        if (!BucketDescriptor.isLive(
            UnsafeApi.getLong(address + BucketDescriptor.HEADER_OFFSET), table.epoch()))
        {
            return false;
        }
        mirror.refresh(table.bucketNumber(of, index), address);
        return true;
    }

    /** One pass over the chain as it is now. */
    private int pass(final long first)
    {
        long index = first;
        for (int hop = 0; hop < BucketDescriptor.MAX_CHAIN_LENGTH; hop++)
        {
            if (!readBucket(index, 0))
            {
                return AGAIN;
            }
            for (int i = 0; i < BucketDescriptor.SLOT_COUNT; i++)
            {
                final long word = word(0, BucketDescriptor.slotOffset(i));
                if (isCandidate(word, fingerprint))
                {
                    if (readSettled(word) != RecordReader.LIVE)
                    {
                        return AGAIN;
                    }
                    if (records.hasKey(keyAddress, keyLength))
                    {
                        return FOUND;
                    }
                    if (!isCollision(index, i, word))
                    {
                        return AGAIN;
                    }
                }
            }
            final long overflow = BucketDescriptor.overflow(word(0, BucketDescriptor.HEADER_OFFSET));
            if (overflow < 0)
            {
                return ABSENT;
            }
            index = table.overflowIndex(shard, overflow);
            if (index < 0)
            {
                return AGAIN;
            }
        }
        // No chain is longer: a bucket was misread.
        return AGAIN;
    }

    /** Whether the other key's record really is what the slot points at, both READ once more. */
    private boolean isCollision(final long index, final int slotIndex, final long word)
    {
        final long version = records.version();
        return readBucket(index, 1) &&
            word(1, BucketDescriptor.slotOffset(slotIndex)) == word &&
            readSettled(word) == RecordReader.LIVE &&
            !records.hasKey(keyAddress, keyLength) &&
            records.version() == version;
    }

    /** READs a record until it is neither torn nor being written, a few times at most. */
    private int readSettled(final long word)
    {
        int outcome = records.read(shard, word);
        for (int i = 0; outcome == RecordReader.CHANGING && i < REREADS; i++)
        {
            counters.increment(Counters.RETRIES);
            patience.pause(i);
            outcome = records.read(shard, word);
        }
        return outcome;
    }

    /** READs a bucket into one of the two places for it. */
    private boolean readBucket(final long index, final int place)
    {
        final long at = (long)place * BucketDescriptor.LENGTH;
        enqueueBucket(shard, index, lines, at);
        reader.complete();
        return takeBucket(shard, index, lines.addressOf(at, BucketDescriptor.LENGTH));
    }

    private long word(final int place, final int offset)
    {
        return UnsafeApi.getLong(lines.addressOf((long)place * BucketDescriptor.LENGTH + offset, Long.BYTES));
    }

    private static boolean isCandidate(final long word, final int fingerprint)
    {
        return word != SlotWord.EMPTY && SlotWord.fingerprint(word) == fingerprint;
    }
}
