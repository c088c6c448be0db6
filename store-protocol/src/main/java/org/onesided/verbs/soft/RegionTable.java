package org.onesided.verbs.soft;

import java.security.SecureRandom;
import java.util.function.Consumer;
import org.onesided.verbs.Errno;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.UseCount;
import org.onesided.verbs.VerbsException;

/**
 * The memory regions of a context by key. A key consists of a place in the table and a generation, so that the key of a
 * former region stays wrong when its place is reused.
 */
public final class RegionTable
{
    /** Bits of a key that hold the place. */
    public static final int INDEX_BITS = 12;

    /** Maximum number of regions. */
    public static final int CAPACITY = 1 << INDEX_BITS;

    private static final int INDEX_MASK = CAPACITY - 1;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final SoftMemoryRegion[] regions = new SoftMemoryRegion[CAPACITY];
    /** Last key of each place, random when the place is first used, so that keys cannot be guessed from outside. */
    private final int[] generations = new int[CAPACITY];
    private int next;

    /**
     * @param key of a region.
     * @return its place in the table.
     */
    public static int index(final int key)
    {
        return key & INDEX_MASK;
    }

    synchronized SoftMemoryRegion add(
        final SoftProtectionDomain domain,
        final MemoryRange range,
        final int access,
        final UseCount memoryUses,
        final Consumer<SoftMemoryRegion> onClose)
    {
        for (int i = 0; i < CAPACITY; i++)
        {
            final int index = (next + i) & INDEX_MASK;
            if (regions[index] == null)
            {
                if (generations[index] == 0)
                {
                    generations[index] = RANDOM.nextInt();
                }
                int key = 0;
                while ((key >>> INDEX_BITS) == 0)
                {
                    key = ++generations[index] << INDEX_BITS | index;
                }
                next = index + 1;
                regions[index] = new SoftMemoryRegion(domain, range, access, key, memoryUses, onClose);
                return regions[index];
            }
        }
        throw new VerbsException("reg_mr", Errno.ENOMEM, "too many memory regions: max=" + CAPACITY);
    }

    synchronized void remove(final SoftMemoryRegion region)
    {
        regions[index(region.localKey())] = null;
    }

    SoftMemoryRegion find(final int key)
    {
        final SoftMemoryRegion region = regions[index(key)];
        return region != null && region.localKey() == key ? region : null;
    }
}
