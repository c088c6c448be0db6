package org.onesided.client.read;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.agrona.UnsafeApi;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.SlotWord;
import org.onesided.protocol.table.SplitPoint;

/**
 * A server that does random writes in single steps, in the orders that the store's single writer keeps, and knows at
 * each moment what a key's value is. Freed records are used again at once.
 */
final class SteppingServer
{
    private record Place(long index, int slot)
    {
    }

    private static final int SIZE_CLASSES = 3;
    private static final int WRITES_OF_A_SPLIT = 10;
    private static final int[] CLASS_LENGTHS = {64, 192, 608};

    private final TestRegion region;
    private final Random random;
    private final List<byte[]> keys;
    private final Deque<Runnable> steps = new ArrayDeque<>();
    private final Map<Integer, Place> places = new HashMap<>();
    private final Map<Integer, Integer> sizes = new HashMap<>();
    private final Map<Integer, Long> offsets = new HashMap<>();
    private final Map<Integer, String> values = new HashMap<>();
    private final List<Deque<Long>> free = new ArrayList<>();
    private int watched = -1;
    private Set<String> held = new HashSet<>();
    private long nextFresh = TestRegion.HEAP;
    private final Deque<Integer> freeOverflow = new ArrayDeque<>();
    private final ShardLayout layout;
    private long point = SplitPoint.START;
    private int splits;
    private int counter;
    private int moves;
    private int leaves;

    SteppingServer(final TestRegion region, final Random random, final List<byte[]> keys)
    {
        this.region = region;
        this.random = random;
        this.keys = keys;
        layout = region.shard();
        for (int i = 0; i < SIZE_CLASSES; i++)
        {
            free.add(new ArrayDeque<>());
        }
        for (int i = 0; i < TestRegion.OVERFLOW_BUCKETS; i++)
        {
            freeOverflow.add(i);
        }
    }

    /** Keys that moved to an earlier bucket, and buckets that left a chain. */
    int mends()
    {
        return Math.min(moves, leaves);
    }

    /** Begins to note what a key's values are; null stands for none. */
    void watch(final int key)
    {
        watched = key;
        held = new HashSet<>();
        held.add(values.get(key));
    }

    /** All that the watched key held since. */
    Set<String> held()
    {
        return held;
    }

    /** Buckets that were split. */
    int splits()
    {
        return splits;
    }

    void step()
    {
        if (steps.isEmpty() && random.nextInt(WRITES_OF_A_SPLIT) == 0)
        {
            planSplit();
        }
        if (steps.isEmpty())
        {
            planWrite(random.nextInt(keys.size()));
        }
        steps.remove().run();
    }

    private long bucketOf(final int key)
    {
        return layout.bucket(region.hash(keys.get(key)), point);
    }

    /** Splits the next bucket, unless overflow buckets for that are missing, or the last level has come. */
    private void planSplit()
    {
        final long old = layout.firstInUse(point);
        final long child = layout.child(old);
        if (child + 1 >= layout.bucketCount())
        {
            return;
        }
        final long behind = layout.pointBehind(old);
        final List<List<Integer>> sides = List.of(new ArrayList<>(), new ArrayList<>());
        for (final int key : places.keySet())
        {
            if (bucketOf(key) == old)
            {
                sides.get((int)(layout.bucket(region.hash(keys.get(key)), behind) - child)).add(key);
            }
        }
        if (sides.stream().mapToInt(side -> Math.max(0, side.size() - 1) / BucketDescriptor.SLOT_COUNT).sum() >
            freeOverflow.size())
        {
            return;
        }
        final Map<Integer, Place> after = new HashMap<>();
        planFill(child, sides.get(0), after);
        planFill(child + 1, sides.get(1), after);
        steps.add(() ->
        {
            for (long next = region.overflowOf(old); next >= 0; next = region.overflowOf(region.overflowIndex(next)))
            {
                freeOverflow.add((int)next);
            }
            region.header(old, BucketDescriptor.migrated(region.header(old)));
            places.putAll(after);
            point = behind;
            splits++;
        });
    }

    private void planFill(final long first, final List<Integer> side, final Map<Integer, Place> after)
    {
        long next = -1;
        final int buckets = Math.max(0, side.size() - 1) / BucketDescriptor.SLOT_COUNT;
        for (int bucket = buckets; bucket >= 0; bucket--)
        {
            final long number = bucket == 0 ? -1 : freeOverflow.remove();
            final long index = bucket == 0 ? first : region.overflowIndex(number);
            final long behind = next;
            for (int i = 0; i < BucketDescriptor.SLOT_COUNT; i++)
            {
                final int slot = i;
                final int at = bucket * BucketDescriptor.SLOT_COUNT + i;
                if (at < side.size())
                {
                    final Place from = places.get(side.get(at));
                    after.put(side.get(at), new Place(index, slot));
                    steps.add(() -> region.slot(index, slot, region.slot(from.index(), from.slot())));
                }
                else
                {
                    steps.add(() -> region.slot(index, slot, SlotWord.EMPTY));
                }
            }
            steps.add(() -> region.header(index, BucketDescriptor.LIVE, TestRegion.EPOCH, behind));
            next = number;
        }
    }

    private void planWrite(final int key)
    {
        final boolean isPresent = values.containsKey(key);
        if (isPresent && random.nextInt(3) == 0)
        {
            planDelete(key);
            return;
        }
        final int size = random.nextInt(SIZE_CLASSES);
        final String value = value(key, size);
        if (isPresent && sizes.get(key) == size)
        {
            planInPlace(key, value);
        }
        else
        {
            planOutOfPlace(key, size, value);
        }
    }

    private String value(final int key, final int size)
    {
        final StringBuilder value = new StringBuilder().append(key).append('/').append(counter++).append('/');
        final int length = CLASS_LENGTHS[size] - RecordDescriptor.HEADER_LENGTH - keys.get(key).length -
            random.nextInt(SlotWord.GRANULE - 1);
        while (value.length() < length)
        {
            value.append(counter % 10);
        }
        value.setLength(Math.max(length, 1));
        return value.toString();
    }

    private void planInPlace(final int key, final String value)
    {
        final long offset = offsets.get(key);
        steps.add(() -> region.check(offset, RecordDescriptor.BEING_WRITTEN));
        planBody(offset, key, value);
        steps.add(() ->
        {
            region.check(offset, region.codeOf(offset));
            hold(key, value);
        });
    }

    private void planOutOfPlace(final int key, final int size, final String value)
    {
        final long fresh = allocate(size);
        final Long old = offsets.get(key);
        final Place place = places.containsKey(key) ? places.get(key) : freePlace(key);
        if (place == null)
        {
            free.get(size).add(fresh);
            steps.add(() -> { });
            return;
        }
        steps.add(() -> region.check(fresh, RecordDescriptor.BEING_WRITTEN));
        planBody(fresh, key, value);
        if (old != null)
        {
            steps.add(() -> region.check(old, RecordDescriptor.DEAD));
        }
        steps.add(() -> region.slot(
            place.index(), place.slot(), region.slotOf(keys.get(key), TestRegion.bytes(value), fresh)));
        steps.add(() ->
        {
            region.check(fresh, region.codeOf(fresh));
            hold(key, value);
            if (old != null)
            {
                free.get(sizes.get(key)).add(old);
            }
            places.put(key, place);
            sizes.put(key, size);
            offsets.put(key, fresh);
        });
    }

    private void planDelete(final int key)
    {
        final long offset = offsets.get(key);
        final Place place = places.get(key);
        steps.add(() ->
        {
            region.check(offset, RecordDescriptor.DEAD);
            hold(key, null);
        });
        steps.add(() ->
        {
            region.slot(place.index(), place.slot(), SlotWord.EMPTY);
            free.get(sizes.get(key)).add(offset);
            places.remove(key);
            sizes.remove(key);
            offsets.remove(key);
            planMend(place, bucketOf(key));
        });
    }

    /** Fills an empty slot from the last bucket of its chain, and takes that out if it is empty then. */
    private void planMend(final Place hole, final long first)
    {
        long previous = -1;
        long last = first;
        while (region.overflowOf(last) >= 0)
        {
            previous = last;
            last = region.overflowIndex(region.overflowOf(last));
        }
        if (previous < 0)
        {
            return;
        }
        int left = takenSlots(last);
        if (hole.index() != last && left > 0)
        {
            planMove(lastKeyOf(last), hole, first);
            left--;
        }
        if (left == 0)
        {
            planLeave(previous, last, first);
        }
    }

    private int takenSlots(final long index)
    {
        return (int)places.values().stream().filter(place -> place.index() == index).count();
    }

    private int lastKeyOf(final long index)
    {
        return places.entrySet().stream().filter(entry -> entry.getValue().index() == index)
            .max(Comparator.comparingInt(entry -> entry.getValue().slot())).orElseThrow().getKey();
    }

    private void planMove(final int key, final Place to, final long first)
    {
        final Place from = places.get(key);
        steps.add(() -> region.slot(to.index(), to.slot(), region.slot(from.index(), from.slot())));
        if (to.index() != first)
        {
            steps.add(() -> bump(first));
        }
        steps.add(() ->
        {
            region.slot(from.index(), from.slot(), SlotWord.EMPTY);
            places.put(key, to);
            moves++;
        });
    }

    private void planLeave(final long previous, final long last, final long first)
    {
        if (previous == first)
        {
            steps.add(() -> region.header(first, BucketDescriptor.withTag(
                BucketDescriptor.withOverflow(region.header(first), -1),
                BucketDescriptor.tag(region.header(first)) + 1)));
        }
        else
        {
            steps.add(() -> region.header(previous, BucketDescriptor.withOverflow(region.header(previous), -1)));
            steps.add(() -> bump(first));
        }
        steps.add(() ->
        {
            freeOverflow.add((int)(last - layout.bucketCount()));
            leaves++;
        });
    }

    private void bump(final long first)
    {
        region.header(
            first, BucketDescriptor.withTag(region.header(first), BucketDescriptor.tag(region.header(first)) + 1));
    }

    /** Writes all but the check word, in steps of one cache line or less. */
    private void planBody(final long offset, final int key, final String value)
    {
        final byte[] valueBytes = TestRegion.bytes(value);
        final byte[] keyBytes = keys.get(key);
        final int length = (int)RecordDescriptor.length(keyBytes.length, valueBytes.length);
        // Composed elsewhere in the region, where no slot points, then copied.
        final long scratch = TestRegion.HEAP + TestRegion.HEAP_LENGTH - 4096;
        steps.add(() ->
        {
            region.recordAt(scratch, keyBytes, valueBytes);
            region.check(scratch, RecordDescriptor.DEAD);
        });
        for (int at = RecordDescriptor.VERSION_OFFSET; at < length; at += 56)
        {
            final int from = at;
            final int count = Math.min(56, length - at);
            steps.add(() -> UnsafeApi.copyMemory(
                region.address + scratch + from, region.address + offset + from, count));
        }
    }

    private void hold(final int key, final String value)
    {
        if (value == null)
        {
            values.remove(key);
        }
        else
        {
            values.put(key, value);
        }
        if (key == watched)
        {
            held.add(value);
        }
    }

    private long allocate(final int size)
    {
        final Long used = free.get(size).poll();
        if (used != null)
        {
            return used;
        }
        final long offset = nextFresh;
        nextFresh += SlotWord.granules(CLASS_LENGTHS[size]) * SlotWord.GRANULE;
        return offset;
    }

    private Place freePlace(final int key)
    {
        long index = bucketOf(key);
        while (true)
        {
            for (int i = 0; i < BucketDescriptor.SLOT_COUNT; i++)
            {
                final Place place = new Place(index, i);
                if (!places.containsValue(place))
                {
                    return place;
                }
            }
            final long overflow = region.overflowOf(index);
            if (overflow >= 0)
            {
                index = region.overflowIndex(overflow);
            }
            else if (!freeOverflow.isEmpty())
            {
                final int next = freeOverflow.remove();
                region.header(region.overflowIndex(next), BucketDescriptor.LIVE, TestRegion.EPOCH, -1);
                region.header(index, BucketDescriptor.withOverflow(region.header(index), next));
                index = region.overflowIndex(next);
            }
            else
            {
                return null;
            }
        }
    }

    /** What the region says must be among what the watched key held. */
    boolean allows(final String value)
    {
        return held.stream().anyMatch(each -> Objects.equals(each, value));
    }
}
