package org.onesided.server.table;

import java.util.ArrayDeque;
import org.agrona.collections.LongHashSet;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.SlotWord;
import org.onesided.protocol.table.SplitPoint;

/**
 * Visits each record that a shard's table has at one moment, in steps, while the table goes on changing: a snapshot.
 *
 * <p>The walk goes in the order of {@link KeyHash}'s bucket bits. Before a record changes that the walk has not
 * reached, it is visited out of turn, and its key's hash is remembered, so that the walk skips that hash later. This is
 * true also of hashes that no record has yet. Splitting keeps this order, as it only divides a bucket's hashes. So the
 * records visited are those that were there at {@link #begin}, each once, with the value, version and expiry of then.
 *
 * <p>The table itself visits a record before it removes it because its time has come, or to make room. So the records
 * include those whose time came since {@link #begin}, or had come before and that nobody had removed yet. A table
 * which is loaded from a snapshot removes them when its own time has come as far: that is no later than this table did,
 * if the loaded table's time goes on from the time of {@link #begin}. Without them, it would have room that this table
 * did not have, and could accept a put that this table refused.
 *
 * <p>A value longer than {@link #MAX_SHORT_VALUE_LENGTH} is visited in parts, and lent meanwhile: a put or delete of
 * its key takes effect at once, but the heap keeps the old value until the walk has passed it. A put that waits for
 * room may need steps of the walk. Only one value is passed in parts at a time; short records may be visited between
 * its parts.
 *
 * <p>Belongs to the shard's thread.
 */
public final class TableWalk
{
    /** Longest value that is visited in one piece, in bytes. */
    public static final int MAX_SHORT_VALUE_LENGTH = 64 << 10;

    /** Hashes that were visited out of turn are kept apart by so many of the highest bucket bits. */
    private static final int REGION_BITS = 8;
    private static final int BUCKET_BITS = 48;
    private static final long BUCKET_MASK = (1L << BUCKET_BITS) - 1;
    private static final int REGION_SHIFT = BUCKET_BITS - REGION_BITS;

    /**
     * Hears of records. The addresses are valid until the call returns. Must not write to the table, nor throw.
     */
    public interface Visitor
    {
        /**
         * A record whose value is at most {@link #MAX_SHORT_VALUE_LENGTH} bytes long.
         *
         * @param keyAddress   raw address of the key.
         * @param keyLength    in bytes.
         * @param valueAddress raw address of the value.
         * @param valueLength  in bytes.
         * @param version      of the record.
         * @param expiry       a time, or {@link Expiry#NEVER}.
         */
        void onRecord(
            long keyAddress, int keyLength, long valueAddress, int valueLength, long version, long expiry);

        /**
         * A record with a longer value, whose parts follow.
         *
         * @param keyAddress  raw address of the key.
         * @param keyLength   in bytes.
         * @param valueLength in bytes.
         * @param version     of the record.
         * @param expiry      a time, or {@link Expiry#NEVER}.
         */
        void onLongRecord(long keyAddress, int keyLength, int valueLength, long version, long expiry);

        /**
         * The next part of the last long record's value. Parts come in order, and end with the value.
         *
         * @param address raw address of the part.
         * @param length  in bytes, at least 1.
         */
        void onValuePart(long address, int length);
    }

    /** A long record that is lent, as it was when the walk met it. */
    private record LongRecord(long offset, long version, long expiry)
    {
    }

    private final ShardLayout layout;
    private final RecordMemory records;
    private final BucketMemory buckets;
    private final BucketSplitter splitter;
    private final HeapSpace heap;
    private final Expirations expirations;
    private final KeyHash keyHash;
    /** The walk's places are buckets of the last level, whether it will ever be used or not. */
    private final int lastLevel;
    private final long end;

    private final LongHashSet[] visited = new LongHashSet[1 << REGION_BITS];
    private final ArrayDeque<LongRecord> longRecords = new ArrayDeque<>();
    private int setCount;
    /** Regions before this one are passed. */
    private int region;
    /** Bytes of the first long record's value that were visited. */
    private int passed;
    private Visitor visitor;
    private long position;

    TableWalk(
        final ShardLayout layout,
        final RecordMemory records,
        final BucketMemory buckets,
        final BucketSplitter splitter,
        final HeapSpace heap,
        final Expirations expirations,
        final KeyHash keyHash)
    {
        this.layout = layout;
        this.records = records;
        this.buckets = buckets;
        this.splitter = splitter;
        this.heap = heap;
        this.expirations = expirations;
        this.keyHash = keyHash;
        lastLevel = layout.levels() - 1;
        end = (long)layout.firstBuckets() << lastLevel;
        position = end;
    }

    /**
     * Begins to visit the records that are there now.
     *
     * @param newVisitor hears of them until the walk ends.
     * @throws IllegalStateException if a walk is under way.
     */
    public void begin(final Visitor newVisitor)
    {
        if (isUnderWay())
        {
            throw new IllegalStateException("a walk is under way, stop it first: position=" + position);
        }
        visitor = newVisitor;
        position = 0;
        region = 0;
    }

    /**
     * @return whether there are records that may be still to be visited.
     */
    public boolean isUnderWay()
    {
        return visitor != null;
    }

    /**
     * @return which part of the table was visited, from 0 to 1.
     */
    public double progress()
    {
        return (double)position / end;
    }

    /**
     * Visits the next records. Does nothing if no walk is under way.
     *
     * @param budgetBytes to visit at least, records and buckets together, if so many are left. A step ends between two
     *                    buckets, or within a long value.
     * @return whether the walk is not under way any more: it has visited all.
     */
    public boolean step(final long budgetBytes)
    {
        long left = Math.max(1, budgetBytes);
        while (isUnderWay() && left > 0)
        {
            if (!longRecords.isEmpty())
            {
                left -= passLongRecord((int)Math.min(left, Integer.MAX_VALUE));
            }
            else if (position < end)
            {
                left -= visitBucket();
            }
            else
            {
                stop();
            }
        }
        return !isUnderWay();
    }

    /**
     * To be called before a request is executed that may change the record of a key.
     *
     * @param hash of the key.
     */
    public void beforeChange(final long hash)
    {
        if (isUnderWay() && beginVisit(hash))
        {
            visitHash(hash, true);
        }
    }

    /** Before the table removes a record by itself. Its value is not lent, since the heap counts on its room. */
    void beforeRemoval(final long record)
    {
        if (isUnderWay())
        {
            final long hash = hash(record);
            if (beginVisit(hash))
            {
                visitHash(hash, false);
            }
        }
    }

    /** Ends the walk, whether it has visited all or not. Does nothing if none is under way. */
    public void stop()
    {
        while (!longRecords.isEmpty())
        {
            heap.giveBack(longRecords.poll().offset());
        }
        passed = 0;
        visitor = null;
        position = end;
        dropSets(visited.length);
    }

    /** Remembers that a hash is visited now; false if it was visited already, or the walk is behind it. */
    private boolean beginVisit(final long hash)
    {
        if (isPassed(hash))
        {
            return false;
        }
        final int of = region(hash);
        if (visited[of] == null)
        {
            visited[of] = new LongHashSet();
            setCount++;
        }
        return visited[of].add(hash);
    }

    private boolean isPassed(final long hash)
    {
        return KeyHash.bucket(hash, end) < position;
    }

    private static int region(final long hash)
    {
        return (int)((hash & BUCKET_MASK) >>> REGION_SHIFT);
    }

    private void visitHash(final long hash, final boolean mayLend)
    {
        final int fingerprint = KeyHash.fingerprint(hash);
        long bucket = layout.bucketOffset(layout.bucket(hash, splitter.point()));
        while (bucket >= 0)
        {
            for (int i = 0; i < BucketDescriptor.SLOT_COUNT; i++)
            {
                final long word = buckets.word(bucket, i);
                if (word != SlotWord.EMPTY && SlotWord.fingerprint(word) == fingerprint &&
                    hash(records.offset(word)) == hash)
                {
                    visit(records.offset(word), mayLend);
                }
            }
            bucket = next(bucket);
        }
    }

    /** Visits the records of the next bucket, and says about how many bytes it looked at. */
    private long visitBucket()
    {
        final long point = splitter.point();
        final int level = level(point);
        final int shift = lastLevel - level;
        final long number = position >>> shift;
        long bucket = layout.bucketOffset(layout.firstIndex(level) + number);
        long bytes = 0;
        while (bucket >= 0)
        {
            bytes += BucketDescriptor.LENGTH;
            for (int i = 0; i < BucketDescriptor.SLOT_COUNT; i++)
            {
                final long word = buckets.word(bucket, i);
                if (word != SlotWord.EMPTY && !isVisited(records.offset(word)))
                {
                    bytes += visit(records.offset(word), true);
                }
            }
            bucket = next(bucket);
        }
        position = number + 1 << shift;
        dropPassedSets();
        return bytes;
    }

    /** Level of the bucket at the walk's position. */
    private int level(final long point)
    {
        final int level = SplitPoint.level(point);
        final boolean isSplit = position >>> lastLevel - level < SplitPoint.split(point);
        return isSplit ? level + 1 : level;
    }

    private boolean isVisited(final long record)
    {
        if (setCount == 0)
        {
            return false;
        }
        final long hash = hash(record);
        final LongHashSet set = visited[region(hash)];
        return set != null && set.contains(hash);
    }

    private void dropPassedSets()
    {
        int passedRegions = region;
        while (passedRegions < visited.length && isPassed((passedRegions + 1L << REGION_SHIFT) - 1))
        {
            passedRegions++;
        }
        dropSets(passedRegions);
    }

    private void dropSets(final int before)
    {
        for (; region < before; region++)
        {
            setCount -= visited[region] == null ? 0 : 1;
            visited[region] = null;
        }
    }

    /** Visits a record, or lends it until it is visited; says how many bytes were visited. */
    private long visit(final long record, final boolean mayLend)
    {
        // A record that moves over its own place has its rest elsewhere until the move is finished.
        heap.finishMove(record);
        final int valueLength = records.valueLength(record);
        if (valueLength <= MAX_SHORT_VALUE_LENGTH)
        {
            final int keyLength = records.keyLength(record);
            visitor.onRecord(
                records.keyAddress(record), keyLength, records.address(records.valueOffset(record)), valueLength,
                records.version(record), expirations.of(record));
            return keyLength + valueLength;
        }
        final LongRecord met = new LongRecord(record, records.version(record), expirations.of(record));
        if (mayLend)
        {
            heap.lend(record);
            longRecords.add(met);
            return 0;
        }
        if (passed > 0)
        {
            passLongRecord(Integer.MAX_VALUE);
        }
        beginLongRecord(met);
        visitor.onValuePart(records.address(records.valueOffset(record)), valueLength);
        return valueLength;
    }

    /** Visits a part of the first long record that is lent, and says how long the part was. */
    private int passLongRecord(final int budget)
    {
        final LongRecord first = longRecords.peek();
        final long record = first.offset();
        if (passed == 0)
        {
            beginLongRecord(first);
        }
        final int length = records.valueLength(record);
        final int part = Math.min(budget, length - passed);
        visitor.onValuePart(records.address(records.valueOffset(record)) + passed, part);
        passed += part;
        if (passed == length)
        {
            passed = 0;
            longRecords.poll();
            heap.giveBack(record);
        }
        return part;
    }

    private void beginLongRecord(final LongRecord met)
    {
        final long record = met.offset();
        visitor.onLongRecord(
            records.keyAddress(record), records.keyLength(record), records.valueLength(record), met.version(),
            met.expiry());
    }

    private long next(final long bucket)
    {
        final long number = BucketDescriptor.overflow(buckets.header(bucket));
        return number < 0 ? -1 : layout.overflowOffset(number);
    }

    private long hash(final long record)
    {
        return keyHash.hash(records.keyAddress(record), records.keyLength(record));
    }
}
