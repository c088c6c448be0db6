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
    public static final int INDEX_BITS = 14;

    /** Places that are used before any other: most contexts need no more, and those that do need storage for them. */
    public static final int FIRST_PLACES = 1 << 12;

    /** Maximum number of regions. */
    public static final int CAPACITY = 1 << INDEX_BITS;

    private static final int INDEX_MASK = CAPACITY - 1;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final SoftMemoryRegion[] regions = new SoftMemoryRegion[CAPACITY];
    /** Last key of each place, random when the place is first used, so that keys cannot be guessed from outside. */
    private final int[] generations = new int[CAPACITY];
    /** Places in use. */
    private int places = FIRST_PLACES;
    private int next;

    /**
     * @param key of a region.
     * @return its place in the table.
     */
    public static int index(final int key)
    {
        return key & INDEX_MASK;
    }

    /**
     * Adds a region.
     *
     * @param onExtend called before the first region beyond {@link #FIRST_PLACES} is added; may refuse.
     */
    synchronized SoftMemoryRegion add(
        final SoftProtectionDomain domain,
        final MemoryRange range,
        final int access,
        final UseCount memoryUses,
        final Consumer<SoftMemoryRegion> onClose,
        final Runnable onExtend)
    {
        int index = freePlace();
        if (index < 0 && places < CAPACITY)
        {
            onExtend.run();
            index = places;
            places = CAPACITY;
        }
        if (index < 0)
        {
            throw new VerbsException("reg_mr", Errno.ENOMEM, "too many memory regions: max=" + CAPACITY);
        }
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

    private int freePlace()
    {
        for (int i = 0; i < places; i++)
        {
            final int index = (next + i) % places;
            if (regions[index] == null)
            {
                return index;
            }
        }
        return -1;
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
