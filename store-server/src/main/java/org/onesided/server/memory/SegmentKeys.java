package org.onesided.server.memory;

import java.util.Arrays;
import org.onesided.verbs.MemoryRegion;

/**
 * The lkeys of a device's segments by address. One thread adds, any thread looks up.
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
