package org.onesided.client.read;

import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.session.Attachment;
import org.onesided.client.session.Mirror;
import org.onesided.client.session.RegisteredBuffer;
import org.onesided.client.session.SmallCopy;
import org.onesided.client.session.Table;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.SlotWord;

/**
 * Keys that are looked up together, with their READs in one lane. The mirror shows where a key's record may be;
 * otherwise the key's bucket is READ first. A bucket without overflow buckets proves absence by
 * {@link BucketDescriptor#isSeenWhole}. A key that one pass does not settle is looked up singly. Not thread-safe.
 */
final class KeyGroup
{
    /** Maximum number of keys of a group. */
    static final int MAX_KEYS = 64;
    /** Bytes of READs of a group. */
    static final int SPACE_LENGTH = 128 * 1024;

    /** State of a key. */
    enum Found
    {
        /** Nothing is known. */
        UNSETTLED,
        /** Its bucket is READ. */
        BUCKET,
        /** Its record, as the mirror has it, is READ. */
        MIRRORED_RECORD,
        /** Its record, as its bucket has it, is READ. */
        RECORD,
        /** It is absent. */
        ABSENT
    }

    private final int lane;
    private final UnsafeBuffer keys = new UnsafeBuffer(
        BufferUtil.allocateDirectAligned(MAX_KEYS * RecordDescriptor.MAX_KEY_LENGTH, Long.BYTES));
    private final int[] keyOffsets = new int[MAX_KEYS];
    private final int[] keyLengths = new int[MAX_KEYS];
    private final long[] hashes = new long[MAX_KEYS];
    private final int[] shards = new int[MAX_KEYS];
    private final long[] buckets = new long[MAX_KEYS];
    private final long[] numbers = new long[MAX_KEYS];
    private final long[] slotWords = new long[MAX_KEYS];
    /** Known headers of the buckets before their READs were posted. */
    private final long[] knownHeaders = new long[MAX_KEYS];
    private final Found[] found = new Found[MAX_KEYS];
    /** Offset in the space of each key's READ. */
    private final int[] places = new int[MAX_KEYS];
    private final GroupBound bound = new GroupBound(MAX_KEYS);
    private boolean isFull;
    private int size;
    private int keysEnd;
    private int used;
    private boolean hasBuckets;
    private ReadPath reads;
    private Attachment source;
    private long lease;
    private RegisteredBuffer space;
    /** Written so that the loads ahead are not optimised away. */
    private long fetched;

    KeyGroup(final int lane)
    {
        this.lane = lane;
    }

    /** Empties the group, and sets the path of the next keys and READs. */
    void begin(final ReadPath path)
    {
        if (reads != path)
        {
            final Attachment attachment = path.attachment();
            space = attachment.batchSpace().get().slice((long)(lane - 1) * SPACE_LENGTH, SPACE_LENGTH);
            reads = path;
            source = attachment;
        }
        bound.begin(path.table().endShard(), path.reader().depth());
        isFull = false;
        size = 0;
        keysEnd = 0;
        used = 0;
        hasBuckets = false;
    }

    /** Sets the lease under which the READs are posted. */
    void lease(final long held)
    {
        lease = held;
    }

    /** Whether what the READs brought may be believed, once they are all there. */
    boolean isStillHeld()
    {
        return source.lease().isStillHeld(lease);
    }

    boolean isFull()
    {
        return isFull;
    }

    int size()
    {
        return size;
    }

    /** Adds a key from an array or a raw address. The length was checked. */
    void add(final Object base, final long offset, final int length)
    {
        SmallCopy.copy(base, offset, keys.addressOffset() + keysEnd, length);
        keyOffsets[size] = keysEnd;
        keyLengths[size] = length;
        keysEnd += length;
        hashes[size] = reads.table().hash(keyAddress(size), length);
        shards[size] = reads.lookup().shardOf(hashes[size]);
        isFull = bound.addReaches(shards[size]);
        size++;
    }

    /** Posts the READs of the keys. Keys at the end that find no room leave the group. */
    void post()
    {
        final Table table = reads.table();
        final Lookup lookup = reads.lookup();
        for (int i = 0; i < size; i++)
        {
            buckets[i] = lookup.firstBucket(shards[i], hashes[i]);
            numbers[i] = table.bucketNumber(shards[i], buckets[i]);
        }
        fetchAhead();
        place(lookup);
        reads.reader().begin(lane);
        for (int shard = table.firstShard(); shard < table.endShard(); shard++)
        {
            for (int i = 0; i < size; i++)
            {
                if (shards[i] == shard)
                {
                    enqueue(i);
                }
            }
        }
        reads.reader().post();
    }

    /** Waits for the READs, and for the record READs that the buckets require. */
    void await()
    {
        reads.reader().await(lane);
        if (hasBuckets)
        {
            reads.reader().begin(lane);
            for (int shard = reads.table().firstShard(); shard < reads.table().endShard(); shard++)
            {
                for (int i = 0; i < size; i++)
                {
                    if (shards[i] == shard && found[i] == Found.BUCKET)
                    {
                        found[i] = take(i);
                    }
                }
            }
            reads.reader().post();
            reads.reader().await(lane);
        }
    }

    /** Drops the READs' results: each key is looked up singly. */
    void forget()
    {
        for (int i = 0; i < size; i++)
        {
            found[i] = Found.UNSETTLED;
        }
    }

    /** State of a key after the group was awaited; {@link #records} then holds its record. */
    Found judge(final int i)
    {
        final Found read = found[i];
        if (read != Found.MIRRORED_RECORD && read != Found.RECORD)
        {
            return read;
        }
        final RecordReader records = reads.records();
        final int length = records.readLength(shards[i], slotWords[i]);
        final long offset = reads.table().shard(shards[i]).recordOffset(slotWords[i]);
        return records.judge(space.addressOf(places[i], length), length, offset) == RecordReader.LIVE &&
            records.hasKey(keyAddress(i), keyLengths[i]) ? read : Found.UNSETTLED;
    }

    /** The lookup of a key is over, as far as this group can settle it. */
    void looked(final int i, final boolean isFound)
    {
        reads.accesses().looked(hashes[i], isFound);
    }

    /** Holds the record that was judged last. */
    RecordReader records()
    {
        return reads.records();
    }

    /** Path of the READs. */
    Attachment source()
    {
        return source;
    }

    /** Raw address of a key of the group. */
    long keyAddress(final int i)
    {
        return keys.addressOffset() + keyOffsets[i];
    }

    int keyLength(final int i)
    {
        return keyLengths[i];
    }

    /** Prefetches the needed lines of the mirror, so that their cache misses overlap. */
    private void fetchAhead()
    {
        final Mirror mirror = reads.table().mirror();
        if (mirror.capacity() > 0)
        {
            long words = 0;
            for (int i = 0; i < size; i++)
            {
                words += UnsafeApi.getLong(mirror.placeOf(numbers[i]));
            }
            fetched = words;
        }
    }

    /** Decides what to READ for each key, and where to. */
    private void place(final Lookup lookup)
    {
        for (int i = 0; i < size; i++)
        {
            final long word =
                lookup.mirroredSlot(shards[i], buckets[i], numbers[i], KeyHash.fingerprint(hashes[i]));
            final boolean isMirrored = word != SlotWord.EMPTY;
            slotWords[i] = word;
            knownHeaders[i] = isMirrored ? Mirror.UNKNOWN : lookup.knownHeader(shards[i], buckets[i]);
            if (isMirrored && !reads.records().isShort(shards[i], word))
            {
                found[i] = Found.UNSETTLED;
            }
            else if (tryPlace(i, isMirrored ? SlotWord.length(word) : BucketDescriptor.LENGTH))
            {
                found[i] = isMirrored ? Found.MIRRORED_RECORD : Found.BUCKET;
                hasBuckets |= !isMirrored;
            }
            else
            {
                found[i] = Found.UNSETTLED;
                size = Math.max(1, i);
            }
        }
    }

    /** Takes room in the space for a READ of a key, if there is enough. */
    private boolean tryPlace(final int i, final int length)
    {
        if (length > space.length() - used)
        {
            return false;
        }
        places[i] = used;
        used += length;
        return true;
    }

    private void enqueue(final int i)
    {
        if (found[i] == Found.BUCKET)
        {
            reads.lookup().enqueueBucket(shards[i], buckets[i], space, places[i]);
        }
        else if (found[i] != Found.UNSETTLED)
        {
            reads.records().enqueue(shards[i], slotWords[i], space, places[i]);
        }
    }

    /** Derives the state of a key from its bucket. */
    private Found take(final int i)
    {
        final long bucket = space.addressOf(places[i], BucketDescriptor.LENGTH);
        if (!reads.lookup().takeBucket(shards[i], buckets[i], bucket))
        {
            return Found.UNSETTLED;
        }
        final long word = Mirror.find(bucket, KeyHash.fingerprint(hashes[i]));
        if (word != SlotWord.EMPTY)
        {
            if (!reads.records().isShort(shards[i], word) || !tryPlace(i, SlotWord.length(word)))
            {
                return Found.UNSETTLED;
            }
            slotWords[i] = word;
            reads.records().enqueue(shards[i], word, space, places[i]);
            return Found.RECORD;
        }
        final long header = UnsafeApi.getLong(bucket + BucketDescriptor.HEADER_OFFSET);
        // A single lookup handles overflow buckets.
        return BucketDescriptor.overflow(header) < 0 && BucketDescriptor.isSeenWhole(knownHeaders[i], header) ?
            Found.ABSENT : Found.UNSETTLED;
    }
}
