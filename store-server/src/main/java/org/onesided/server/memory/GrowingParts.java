package org.onesided.server.memory;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * All parts of a table that grow, in the order in which they were made. Thread-safe.
 */
final class GrowingParts implements Iterable<GrowingPart>
{
    private final List<GrowingPart> parts = new CopyOnWriteArrayList<>();

    void add(final GrowingPart part)
    {
        parts.add(part);
    }

    int count()
    {
        return parts.size();
    }

    GrowingPart get(final int index)
    {
        return parts.get(index);
    }

    @Override
    public Iterator<GrowingPart> iterator()
    {
        return parts.iterator();
    }

    /** Lets all shards look again. */
    void tell()
    {
        parts.forEach(GrowingPart::tell);
    }

    /** Whether heaps get no more, or some do not. */
    boolean isUsedUp()
    {
        return parts.stream().anyMatch((part) -> !part.isIndex() && part.left() == 0);
    }

    /** Whether an index wants memory, gets none, and would if the heap gave some back. */
    boolean canHelp(final GrowingPart heap)
    {
        return parts.stream().anyMatch((part) -> part.isStarved() && part.competesWith(heap));
    }

    /** Whether a put waits for memory. */
    boolean isAwaited()
    {
        for (final GrowingPart part : parts)
        {
            if (part.isAwaited())
            {
                return true;
            }
        }
        return false;
    }
}
