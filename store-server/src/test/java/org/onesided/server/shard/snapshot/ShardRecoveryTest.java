package org.onesided.server.shard.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShardRecoveryTest
{
    private final List<String> told = new ArrayList<>();
    private final ShardRecovery recovery = new ShardRecovery(
        null, null, (bytes) -> told.add("read: " + bytes), () -> told.add("recovered"));

    @Test
    void shouldTellOfEntriesThatAreReadBackAndOfNoOthers()
    {
        assertFalse(recovery.isLoading());
        assertFalse(recovery.isOver());
        recovery.onEntry(5);
        recovery.onEntry(6);
        recovery.end();
        assertTrue(recovery.isOver());
        recovery.onEntry(7);
        assertEquals(List.of("read: 5", "read: 6", "recovered"), told);
    }
}
