package org.onesided.server.shard.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.onesided.server.eviction.Eviction;
import org.onesided.server.snapshot.SnapshotStore;
import org.onesided.server.table.ShardMemory;

/** What a log has to give again, and whether it does. */
final class Digests
{
    static final int KEYS = 40;

    private Digests()
    {
    }

    /** Keys that tests write. */
    static List<String> keys()
    {
        final List<String> keys = new ArrayList<>();
        for (int i = 0; i < KEYS; i++)
        {
            keys.add("k" + i);
            keys.add("n" + i);
            keys.add("a" + i);
        }
        return keys;
    }

    /**
     * The same table, and all of the answers. A log may remember older answers besides: a refusal that was not logged
     * has taken their place in memory.
     */
    static void assertSame(final List<String> expected, final List<String> actual)
    {
        final List<String> missing = new ArrayList<>(expected);
        missing.removeAll(new HashSet<>(actual));
        final List<String> more = new ArrayList<>(actual);
        more.removeAll(new HashSet<>(expected));
        more.removeIf((line) -> line.startsWith("session "));
        assertEquals(missing, more);
    }

    /** The digest of a table that is built from a log behind an entry, and from the newest snapshot. */
    static List<String> replayed(
        final List<byte[]> entries,
        final long behind,
        final long memory,
        final SnapshotStore store,
        final long[] clock)
    {
        return replayed(entries, behind, memory, store, clock, Eviction.NONE);
    }

    /** The same, with a policy whose history and random numbers are others than those of the first run. */
    static List<String> replayed(
        final List<byte[]> entries,
        final long behind,
        final long memory,
        final SnapshotStore store,
        final long[] clock,
        final Eviction eviction)
    {
        try (LoggedTable table = new LoggedTable(
            new MemoryLog(entries, behind), memory, 2, clock, store, eviction, entries.size(), ShardMemory::whole))
        {
            table.recover();
            return table.digest(keys());
        }
    }
}
