package org.onesided.server.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.table.SuperblockDescriptor;

/** Which members keep a partition. */
class PlacementTest
{
    /** Members compute it anew at each start: if this changes, a cluster of a former version falls apart. */
    @Test
    void shouldPlaceAsEver()
    {
        assertEquals(List.of(0, 1, 2), Placement.of(0, 4, 3));
        assertEquals(List.of(0, 1, 3), Placement.of(1, 4, 3));
        assertEquals(List.of(0, 2, 3), Placement.of(2, 4, 3));
        assertEquals(List.of(1, 2, 3), Placement.of(3, 4, 3));
        assertEquals(List.of(0, 1, 2), Placement.of(0, 5, 3));
        assertEquals(List.of(0, 3, 4), Placement.of(1, 5, 3));
        assertEquals(List.of(0, 1, 6), Placement.of(41, 7, 3));
    }

    @Test
    void shouldGiveAllMembersEquallyMuch()
    {
        for (int members = 1; members <= Bootstrap.MAX_MEMBERS; members++)
        {
            for (int replicas = 1; replicas <= members; replicas += 2)
            {
                final int[] counts = new int[members];
                for (int partition = 0; partition < SuperblockDescriptor.MAX_SHARDS; partition++)
                {
                    final List<Integer> keepers = Placement.of(partition, members, replicas);
                    assertEquals(replicas, new HashSet<>(keepers).size());
                    keepers.forEach((each) -> counts[each]++);
                    final int most = Arrays.stream(counts).max().orElseThrow();
                    final int least = Arrays.stream(counts).min().orElseThrow();
                    assertTrue(most - least <= 1, members + " " + replicas + " " + partition);
                }
            }
        }
    }

    /** If members were in fixed groups, few would take over what a lost one has led. */
    @Test
    void shouldLetMembersShareWithMoreThanOneGroup()
    {
        final Set<Integer> together = new HashSet<>();
        for (int partition = 0; partition < 8; partition++)
        {
            final List<Integer> keepers = Placement.of(partition, 6, 3);
            if (keepers.contains(0))
            {
                together.addAll(keepers);
            }
        }
        assertTrue(together.size() >= 5, together.toString());
    }
}
