package org.onesided.tools.kvctl.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Zones of members. */
class ZonesTest
{
    private static final Zones ZONES = new Zones(Map.of(1L, "a", 2L, "a", 3L, "b"));

    @Test
    void shouldCountAMemberWithoutAZoneAsAZoneOfItsOwn()
    {
        assertEquals(2, ZONES.count(List.of(1L, 2L, 3L)));
        assertEquals(4, ZONES.count(List.of(1L, 2L, 3L, 4L, 5L)));
        assertEquals(3, Zones.NONE.count(List.of(1L, 2L, 3L)));
        assertTrue(ZONES.isSame(1, 2));
        assertFalse(ZONES.isSame(2, 3));
        assertFalse(ZONES.isSame(4, 5));
        assertTrue(ZONES.isSame(4, 4));
        assertTrue(ZONES.areNamed());
        assertFalse(Zones.NONE.areNamed());
        assertEquals("b", ZONES.name(3));
        assertNull(ZONES.name(4));
    }

    @Test
    void shouldCountPairsInOneZone()
    {
        assertEquals(0, ZONES.pairs(List.of(1L, 3L, 4L)));
        assertEquals(1, ZONES.pairs(List.of(1L, 2L, 3L)));
        assertEquals(3, new Zones(Map.of(1L, "a", 2L, "a", 3L, "a")).pairs(List.of(1L, 2L, 3L)));
        assertEquals(List.of(1L), ZONES.neighbours(List.of(1L, 2L, 3L), 2));
    }

    @Test
    void shouldFindTheFewestPairsThatSomeMembersCanHave()
    {
        assertEquals(0, ZONES.fewestPairs(List.of(1L, 2L, 3L), 2));
        assertEquals(1, ZONES.fewestPairs(List.of(1L, 2L, 3L), 3));
        assertEquals(0, ZONES.fewestPairs(List.of(1L, 2L, 3L, 4L), 3));
        final Zones three = new Zones(Map.of(1L, "a", 2L, "a", 3L, "a", 4L, "b", 5L, "b", 6L, "b"));
        assertEquals(4, three.fewestPairs(List.of(1L, 2L, 3L, 4L, 5L, 6L), 5));
    }

    @Test
    void shouldSayWhereThereAreFewerZonesThanReplicas()
    {
        assertTrue(ZONES.shortage(List.of(1L, 2L, 3L), 3).endsWith("zones=2 replicas=3"));
        assertNull(ZONES.shortage(List.of(1L, 2L, 3L, 4L), 3));
        assertNull(Zones.NONE.shortage(List.of(1L), 3));
    }
}
