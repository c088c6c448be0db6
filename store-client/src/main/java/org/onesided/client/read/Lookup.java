package org.onesided.client.read;

import org.agrona.UnsafeApi;
import org.onesided.client.session.Counters;
import org.onesided.client.session.Mirror;
import org.onesided.client.session.RegionReader;
import org.onesided.client.session.RegisteredBuffer;
import org.onesided.client.session.Table;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.SlotWord;

/**
 * Looks keys up by READs. It rests on one promise of the server: at any moment at most one live record in the region
 * holds a key, so a live record with the key, read whole, was the key's value at the moment its check word was fetched,
 * wherever the hint came from. Absence is taken only from live buckets READ in this very call, by the rules of
 * {@link BucketDescriptor}. The mirror's header of a chain's first bucket spares a READ if it still holds.
 *
 * <p>The index grows meanwhile: a first bucket that was split sends the lookup on to the one that it was split into.
 * The mirror's line of the split bucket is as good a guess as before, since splitting changes no slot word.
 *
 * <p>What a record READ shows decides what is next:
 * <ul>
 * <li>being written or torn: READ it again, then the bucket;
 * <li>dead: READ the record that it says took its place, or else the bucket;
 * <li>not there, as the memory that the slot points at has gone: READ the bucket;
 * <li>live with another key: if the mirror pointed there, READ the bucket; if a fresh bucket did, look on. Either the
 *     two keys share a fingerprint, or the key's record has moved since the bucket was READ and another one took its
 *     place. READs cannot tell for certain, so the key may be present, but is not absent on their word.
 * </ul>
 * When time is up, or READs cannot tell, the caller asks the server. Not thread-safe.
 */
final class Lookup
{
    /** The key was found; the record reader holds its record. */
    static final int FOUND = 0;
    /** The key is absent. */
    static final int ABSENT = 1;
    /** READs could not settle it, or not in time. */
    static final int UNSETTLED = 2;

    private static final int AGAIN = 3;
    /** The bucket does not hold the key. */
    private static final int NOT_HERE = 4;
    private static final int REREADS = 8;
    private static final int MAX_FORWARDS = 3;
    private static final int MIN_PASSES = 4;
    /** The chain begins elsewhere. */
    private static final int MOVED = 5;
    /** More than levels there and back. */
    private static final int MAX_MOVES = 2 * ShardLayout.MAX_LEVELS;

    private final RegionReader reader;
    private final RecordReader records;
    private final Table table;
    private final Mirror mirror;
    private final MirroredSlots mirroredSlots;
    private final RegisteredBuffer line;
    private final Counters counters;
    private final Patience patience;

    private long keyAddress;
    private int keyLength;
    private int fingerprint;
    private int shard;
    private long hash;
    /** Index of the bucket that the chain begins with, and whether it is known to be in use. */
    private long first;
    private boolean isInUse;
    private int moves;
    /** What the header of the chain's first bucket is known to have been, or {@link Mirror#UNKNOWN}. */
    private long knownHeader;
    /** A live record of another key was where the key's could have been. */
    private boolean isTwinMet;

    /**
     * @param line     room for a bucket.
     * @param patience for how long READs are tried.
     */
    Lookup(
        final RegionReader reader,
        final RecordReader records,
        final Table table,
        final RegisteredBuffer line,
        final Counters counters,
        final Patience patience)
    {
        this.reader = reader;
        this.records = records;
        this.table = table;
        this.mirror = table.mirror();
        mirroredSlots = new MirroredSlots(table);
        this.line = line;
        this.counters = counters;
        this.patience = patience;
    }

    /** Looks a key up; its bytes stay where they are meanwhile. */
    int find(final long address, final int length, final long keyHash)
    {
        keyAddress = address;
        keyLength = length;
        hash = keyHash;
        fingerprint = KeyHash.fingerprint(hash);
        shard = shardOf(hash);
        first = firstBucket(shard, hash);

        final long mirrored = mirroredSlot(shard, first, table.bucketNumber(shard, first), fingerprint);
        if (mirrored != SlotWord.EMPTY && follow(mirrored))
        {
            return FOUND;
        }

        isInUse = true;
        moves = 0;
        knownHeader = knownHeader(shard, first);
        int outcome = passes();
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
                outcome = passes();
                passes++;
            }
        }
        return outcome;
    }

    /** Passes over the chain, and over the one that its keys have moved to, until that stays where it is. */
    private int passes()
    {
        int outcome = pass();
        while (outcome == MOVED)
        {
            outcome = pass();
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
                    mirroredSlots.replace(mirrored, word);
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

    /** Index in its shard of the bucket that a key's chain begins with, as far as it is known. */
    long firstBucket(final int of, final long keyHash)
    {
        return table.firstBucket(of, keyHash);
    }

    /** What the mirror has for a key, see {@link MirroredSlots#find}. */
    long mirroredSlot(final int of, final long firstBucket, final long number, final int wanted)
    {
        return mirroredSlots.find(of, firstBucket, number, wanted);
    }

    /**
     * What the header of a chain's first bucket was at some moment before this call, or {@link Mirror#UNKNOWN}.
     *
     * @param of    shard of the chain.
     * @param first bucket of the chain.
     */
    long knownHeader(final int of, final long first)
    {
        return mirror.header(table.bucketNumber(of, first));
    }

    /** Adds a READ of a bucket. */
    void enqueueBucket(final int of, final long index, final RegisteredBuffer target, final long targetOffset)
    {
        reader.enqueue(of, table.bucketOffset(of, index), BucketDescriptor.LENGTH, target, targetOffset);
        counters.increment(Counters.BUCKET_READS);
        counters.add(Counters.BYTES_READ, BucketDescriptor.LENGTH);
    }

    /** Takes a bucket that was READ into the mirror; whether it is one just now. Also learns of a split. */
    boolean takeBucket(final int of, final long index, final long address)
    {
        final long header = UnsafeApi.getLong(address + BucketDescriptor.HEADER_OFFSET);
        if (!BucketDescriptor.isLive(header, table.epoch()))
        {
            if (BucketDescriptor.isMigrated(header, table.epoch()) && index < table.shard(of).bucketCount())
            {
                table.learnSplit(of, index);
            }
            return false;
        }
        mirror.refresh(table.bucketNumber(of, index), address);
        return true;
    }

    /** One pass over the chain as it is now: overflow buckets first, where the first bucket is known to have some. */
    private int pass()
    {
        isTwinMet = false;
        long known = knownHeader;
        knownHeader = Mirror.UNKNOWN;
        if (known == Mirror.UNKNOWN)
        {
            final int outcome = lookAtFirst();
            if (outcome != NOT_HERE)
            {
                return outcome;
            }
            known = header();
            if (isInUse && BucketDescriptor.isSeenWhole(Mirror.UNKNOWN, known))
            {
                return absent();
            }
        }
        int outcome = lookBehind(known);
        if (outcome == NOT_HERE)
        {
            outcome = lookAtFirst();
        }
        if (outcome != NOT_HERE)
        {
            return outcome;
        }
        if (BucketDescriptor.isSeenWhole(known, header()))
        {
            return absent();
        }
        knownHeader = header();
        return AGAIN;
    }

    private int lookAtFirst()
    {
        if (readBucket(first))
        {
            return lookThrough();
        }
        return move(header());
    }

    /** The first bucket is not live: goes to one that it was split into, or that it will come of. */
    private int move(final long header)
    {
        isInUse = BucketDescriptor.isMigrated(header, table.epoch());
        first = isInUse ? firstBucket(shard, hash) : table.shard(shard).parent(first);
        moves++;
        if (first < 0 || moves > MAX_MOVES || !isInUse && !table.isReadable(shard, first))
        {
            first = firstBucket(shard, hash);
            moves = 0;
            return AGAIN;
        }
        knownHeader = knownHeader(shard, first);
        return MOVED;
    }

    /** Looks through the overflow buckets of the chain. */
    private int lookBehind(final long header)
    {
        int hop = 1;
        for (long overflow = BucketDescriptor.overflow(header); overflow >= 0;)
        {
            final long index = table.overflowIndex(shard, overflow);
            if (index < 0 || hop == BucketDescriptor.MAX_CHAIN_LENGTH)
            {
                // No chain is so long or leads there: a bucket was misread, or serves another chain by now.
                return AGAIN;
            }
            final int outcome = look(index);
            if (outcome != NOT_HERE)
            {
                return outcome;
            }
            overflow = BucketDescriptor.overflow(header());
            hop++;
        }
        return NOT_HERE;
    }

    /** READs a bucket, and the records in it that may be the key's. */
    private int look(final long index)
    {
        return readBucket(index) ? lookThrough() : AGAIN;
    }

    /** Looks through the bucket READ last. */
    private int lookThrough()
    {
        for (int i = 0; i < BucketDescriptor.SLOT_COUNT; i++)
        {
            final long word = word(BucketDescriptor.slotOffset(i));
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
                isTwinMet = true;
            }
        }
        return NOT_HERE;
    }

    private int absent()
    {
        return isTwinMet ? UNSETTLED : ABSENT;
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

    private boolean readBucket(final long index)
    {
        enqueueBucket(shard, index, line, 0);
        reader.complete();
        return takeBucket(shard, index, line.addressOf(0, BucketDescriptor.LENGTH));
    }

    /** Of the bucket READ last. */
    private long header()
    {
        return word(BucketDescriptor.HEADER_OFFSET);
    }

    private long word(final int offset)
    {
        return UnsafeApi.getLong(line.addressOf(offset, Long.BYTES));
    }

    private static boolean isCandidate(final long word, final int fingerprint)
    {
        return word != SlotWord.EMPTY && SlotWord.fingerprint(word) == fingerprint;
    }
}
