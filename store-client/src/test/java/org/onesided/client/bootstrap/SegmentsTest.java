package org.onesided.client.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class SegmentsTest
{
    private final Segments segments = new Segments(List.of(
        new Segments.Segment(1000, 500, 70_000, 3),
        new Segments.Segment(0, 1000, 90_000, 2),
        new Segments.Segment(2000, 100, 50_000, 4)));

    @Test
    void shouldFindTheSegmentOfAnOffset()
    {
        assertEquals(2, segments.at(999).remoteKey());
        assertEquals(3, segments.at(1000).remoteKey());
        assertNull(segments.at(1500));
        assertNull(segments.at(-1));
        assertNull(segments.at(2100));
    }

    @Test
    void shouldContainARangeThatSpansNeighbours()
    {
        assertTrue(segments.contains(0, 1500));
        assertTrue(segments.contains(999, 2));
        assertTrue(segments.contains(2099, 1));
        assertTrue(segments.contains(5000, 0));
    }

    @Test
    void shouldNotContainWhatFallsIntoAHoleOrBeyond()
    {
        assertFalse(segments.contains(1499, 2));
        assertFalse(segments.contains(0, 2100));
        assertFalse(segments.contains(2099, 2));
        assertFalse(segments.contains(-1, 2));
        assertFalse(segments.contains(0, -1));
        assertFalse(segments.contains(1, Long.MAX_VALUE));
    }

    @Test
    void shouldRejectSegmentsThatOverlapOrAreNone()
    {
        assertThrows(IllegalArgumentException.class, () -> new Segments(List.of(
            new Segments.Segment(0, 10, 0, 0), new Segments.Segment(9, 10, 0, 0))));
        assertThrows(IllegalArgumentException.class, () -> new Segments.Segment(-1, 10, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> new Segments.Segment(0, 0, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> new Segments.Segment(Long.MAX_VALUE, 10, 0, 0));
    }
}
