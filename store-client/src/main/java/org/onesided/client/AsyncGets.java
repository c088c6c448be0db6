package org.onesided.client;

import java.util.Arrays;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.SlotWord;

/**
 * Lookups of the asynchronous view: collected in a group, then READ together, the buckets that the mirror lacks first,
 * then the records. What this does not find is looked up by itself, since only that can tell what is absent from what
 * has moved. While the lookups of one group are told, the next group is collected. Not thread-safe.
 */
final class AsyncGets
{
    /** Lookups of a group. */
    static final int CAPACITY = 64;

    private static final int KEYS_LENGTH = 64 * 1024;
    private static final int SPACE_LENGTH = 256 * 1024;
    private static final int NOT_READ = -1;

    /** Gets what was found. */
    interface Listener
    {
        /** Only for the time of this call; null for absent. */
        void onValue(long correlation, DirectBuffer value);

        void onFailure(long correlation, StoreException failure);
    }

    private static final class Group
    {
        private final UnsafeBuffer keys = new UnsafeBuffer(BufferUtil.allocateDirectAligned(KEYS_LENGTH, Long.BYTES));
        private final int[] keyOffsets = new int[CAPACITY];
        private final int[] keyLengths = new int[CAPACITY];
        private final long[] correlations = new long[CAPACITY];
        private final long[] deadlinesNs = new long[CAPACITY];
        private int count;
        private int used;

        private long keyAddress(final int i)
        {
            return keys.addressOffset() + keyOffsets[i];
        }
    }

    private final SessionLink link;
    private final SessionGets gets;
    private final Counters counters;
    private final Listener listener;
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private final long[] hashes = new long[CAPACITY];
    private final boolean[] isBucketRead = new boolean[CAPACITY];
    private final long[] slotWords = new long[CAPACITY];
    /** Where in the space what was READ for a key is, or {@link #NOT_READ}. */
    private final int[] places = new int[CAPACITY];
    private Group collected = new Group();
    private Group group = new Group();
    private RegisteredBuffer space;
    /** What was READ came over this one. */
    private Attachment source;

    AsyncGets(final SessionLink link, final SessionGets gets, final Listener listener)
    {
        this.link = link;
        this.gets = gets;
        this.counters = link.counters();
        this.listener = listener;
    }

    /** How many are collected. */
    int count()
    {
        return collected.count;
    }

    /** Adds a lookup; whether there was room for it. */
    boolean add(
        final DirectBuffer key,
        final int keyOffset,
        final int keyLength,
        final long correlation,
        final long deadlineNs)
    {
        final Group to = collected;
        if (to.count == CAPACITY || to.used + keyLength > KEYS_LENGTH)
        {
            return false;
        }
        final int i = to.count;
        to.keys.putBytes(to.used, key, keyOffset, keyLength);
        to.keyOffsets[i] = to.used;
        to.keyLengths[i] = keyLength;
        to.correlations[i] = correlation;
        to.deadlinesNs[i] = deadlineNs;
        // Hashing reads words.
        to.used = to.used + keyLength + Long.BYTES - 1 & -Long.BYTES;
        to.count++;
        return true;
    }

    /** Looks all up that are collected, and tells of each. */
    void run()
    {
        if (collected.count == 0)
        {
            return;
        }
        swap();
        try
        {
            readAhead();
            for (int i = 0; i < group.count; i++)
            {
                deliver(i);
            }
        }
        finally
        {
            source = null;
            if (space != null)
            {
                final RegisteredBuffer used = space;
                space = null;
                link.giveBack(used);
            }
        }
    }

    /** Fails all that are collected. */
    void close(final StoreException failure)
    {
        swap();
        for (int i = 0; i < group.count; i++)
        {
            listener.onFailure(group.correlations[i], failure);
        }
    }

    private void swap()
    {
        final Group next = group;
        group = collected;
        collected = next;
        next.count = 0;
        next.used = 0;
    }

    private void readAhead()
    {
        Arrays.fill(places, NOT_READ);
        link.deadline().at(group.deadlinesNs[0]);
        try
        {
            source = link.attached(WriteFate.NONE);
            space = link.takeLarge(SPACE_LENGTH);
            for (int i = 0; i < group.count; i++)
            {
                hashes[i] = source.table().hash(group.keyAddress(i), group.keyLengths[i]);
            }
            readBuckets();
            readRecords();
            link.succeeded();
        }
        catch (final AttachmentLostException e)
        {
            link.detach(e.getMessage());
            Arrays.fill(places, NOT_READ);
        }
        catch (final DeadlinePassedException e)
        {
            if (source.loop().isReading())
            {
                link.detach("deadline passed");
            }
            Arrays.fill(places, NOT_READ);
        }
        catch (final StoreException e)
        {
            // Each lookup finds out by itself, with its own deadline.
            Arrays.fill(places, NOT_READ);
        }
    }

    private void readBuckets()
    {
        final Lookup lookup = source.lookup();
        int used = 0;
        for (int shard = 0; shard < source.table().shardCount(); shard++)
        {
            for (int i = 0; i < group.count; i++)
            {
                if (lookup.shardOf(hashes[i]) == shard)
                {
                    isBucketRead[i] = !lookup.hasMirroredBucket(hashes[i]);
                    if (isBucketRead[i])
                    {
                        lookup.enqueueBucket(hashes[i], space, used);
                        places[i] = used;
                        used += BucketDescriptor.LENGTH;
                    }
                }
            }
        }
        if (used > 0)
        {
            source.reader().complete();
            for (int i = 0; i < group.count; i++)
            {
                if (isBucketRead[i])
                {
                    lookup.takeBucket(hashes[i], space.addressOf(places[i], BucketDescriptor.LENGTH));
                    places[i] = NOT_READ;
                }
            }
        }
    }

    private void readRecords()
    {
        final Lookup lookup = source.lookup();
        int used = 0;
        for (int shard = 0; shard < source.table().shardCount(); shard++)
        {
            for (int i = 0; i < group.count; i++)
            {
                if (lookup.shardOf(hashes[i]) == shard)
                {
                    final long word = lookup.mirroredSlot(hashes[i]);
                    if (word != SlotWord.EMPTY && source.records().enqueue(shard, word, space, used))
                    {
                        slotWords[i] = word;
                        places[i] = used;
                        used += SlotWord.length(word);
                    }
                }
            }
        }
        if (used > 0)
        {
            source.reader().complete();
        }
    }

    private void deliver(final int i)
    {
        final long correlation = group.correlations[i];
        if (places[i] != NOT_READ && isFound(i))
        {
            counters.increment(Counters.HITS);
            if (!isBucketRead[i])
            {
                counters.increment(Counters.MIRROR_HITS);
            }
            view.wrap(source.records().valueAddress(), source.records().valueLength());
            listener.onValue(correlation, view);
            return;
        }
        final int length;
        try
        {
            link.deadline().at(group.deadlinesNs[i]);
            link.keySpace().putBytes(0, group.keys, group.keyOffsets[i], group.keyLengths[i]);
            link.nextOperation(Operation.GET, group.keyLengths[i]);
            length = gets.find();
        }
        catch (final StoreException e)
        {
            listener.onFailure(correlation, e);
            return;
        }
        if (length == SessionGets.ABSENT)
        {
            listener.onValue(correlation, null);
        }
        else
        {
            view.wrap(gets.valueAddress(), length);
            listener.onValue(correlation, view);
        }
    }

    private boolean isFound(final int i)
    {
        final int length = SlotWord.length(slotWords[i]);
        final long offset = SlotWord.tableOffset(slotWords[i]);
        return source.records().judge(space.addressOf(places[i], length), length, offset) == RecordReader.LIVE &&
            source.records().hasKey(group.keyAddress(i), group.keyLengths[i]);
    }
}
