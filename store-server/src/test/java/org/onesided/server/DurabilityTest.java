package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.server.raft.RaftLogs;

class DurabilityTest
{
    /** The log keeps entries back to the snapshot before the newest. */
    @ParameterizedTest
    @CsvSource({"512, 1", "512, 4", "4096, 1", "16384, 8"})
    void shouldWriteSnapshotsBeforeEntriesFillTheHeap(final long heapMib, final int shards)
    {
        final long kept = 2 * shards * Durability.snapshotEntries(heapMib << 20, shards);
        final double part = (double)kept * RaftLogs.HEAP_BYTES_OF_ENTRY / (heapMib << 20);
        assertTrue(part > 0.3 && part <= 0.334, "part=" + part);
    }

    @Test
    void shouldNotWriteThemAllTheTimeOnASmallHeap()
    {
        assertEquals(20_000, Durability.snapshotEntries(64 << 20, 8));
    }
}
