package org.onesided.server.memory;

import java.util.Arrays;
import org.onesided.verbs.MemoryRegion;

/**
 * The lkeys of a device's segments by address. One thread adds and removes, any thread looks up.
 */
final class SegmentKeys implements LocalKeys
{
    /** Immutable, sorted by address. */
    private record Known(long[] starts, long[] ends, int[] keys)
    {
    }

    private volatile Known known = new Known(new long[0], new long[0], new int[0]);

    void add(final MemoryRegion region)
    {
        final Known before = known;
        final int count = before.keys.length;
        final long start = region.range().address();
        final int at = -Arrays.binarySearch(before.starts, start) - 1;
        final long[] starts = Arrays.copyOf(before.starts, count + 1);
        final long[] ends = Arrays.copyOf(before.ends, count + 1);
        final int[] keys = Arrays.copyOf(before.keys, count + 1);
        System.arraycopy(before.starts, at, starts, at + 1, count - at);
        System.arraycopy(before.ends, at, ends, at + 1, count - at);
        System.arraycopy(before.keys, at, keys, at + 1, count - at);
        starts[at] = start;
        ends[at] = start + region.range().length();
        keys[at] = region.localKey();
        known = new Known(starts, ends, keys);
    }

    /** The region is about to be deregistered. */
    void remove(final MemoryRegion region)
    {
        final Known before = known;
        final int at = Arrays.binarySearch(before.starts, region.range().address());
        if (at >= 0)
        {
            known = new Known(
                without(before.starts, at), without(before.ends, at), without(before.keys, at));
        }
    }

    private static long[] without(final long[] from, final int at)
    {
        final long[] rest = Arrays.copyOf(from, from.length - 1);
        System.arraycopy(from, at + 1, rest, at, rest.length - at);
        return rest;
    }

    private static int[] without(final int[] from, final int at)
    {
        final int[] rest = Arrays.copyOf(from, from.length - 1);
        System.arraycopy(from, at + 1, rest, at, rest.length - at);
        return rest;
    }

    @Override
    public int key(final long address)
    {
        final Known now = known;
        return now.keys[index(now, address)];
    }

    @Override
    public long reach(final long address)
    {
        final Known now = known;
        return now.ends[index(now, address)] - address;
    }

    private static int index(final Known now, final long address)
    {
        final int found = Arrays.binarySearch(now.starts, address);
        final int index = found >= 0 ? found : -found - 2;
        if (index < 0 || address >= now.ends[index])
        {
            throw new IllegalStateException("no segment: address=0x" + Long.toHexString(address));
        }
        return index;
    }
}
