package org.onesided.verbs.ibv;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.UseCount;

/**
 * The open memories of a context, by address. Thread-safe.
 */
final class IbvMemories
{
    private final TreeMap<Long, IbvMemory> memories = new TreeMap<>();

    synchronized void add(final IbvMemory memory)
    {
        memories.put(memory.range().address(), memory);
    }

    /**
     * Forgets a memory, unless something uses it: no use begins between the look and the end.
     *
     * @return whether to free it now.
     */
    synchronized boolean remove(final IbvMemory memory)
    {
        final boolean isLast = memory.uses().close();
        if (isLast)
        {
            memories.remove(memory.range().address(), memory);
        }
        return isLast;
    }

    /**
     * Begins a use of each memory that a range touches; of none, if it is all memory from elsewhere.
     *
     * @param range to be registered.
     * @return the uses, to be released.
     */
    synchronized List<UseCount> acquire(final MemoryRange range)
    {
        final List<UseCount> uses = new ArrayList<>(1);
        final long end = range.address() + range.length();
        for (final Map.Entry<Long, IbvMemory> entry : memories.headMap(end, false).descendingMap().entrySet())
        {
            final IbvMemory memory = entry.getValue();
            if (memory.range().address() + memory.range().length() <= range.address())
            {
                break;
            }
            memory.uses().acquire();
            uses.add(memory.uses());
        }
        return uses;
    }
}
