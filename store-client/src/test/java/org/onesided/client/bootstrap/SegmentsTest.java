package org.onesided.client.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
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

    @Test
    void shouldGrowByEntriesOfTheDirectory()
    {
        final Segments.Segment first = new Segments.Segment(0, 4096, 1 << 20, 1);
        final Segments growing = new Segments(List.of(first), 1024);
        assertEquals(1024, growing.directory());
        assertFalse(growing.contains(1 << 20, 1));

        growing.learn(List.of(
            first, new Segments.Segment(1 << 20, 8192, 2 << 20, 2), new Segments.Segment(1 << 16, 4096, 3 << 20, 3)),
            3);
        assertEquals(3, growing.learned());
        assertEquals(1, growing.at(4095).remoteKey());
        assertNull(growing.at(4096));
        assertEquals(3, growing.at(1 << 16).remoteKey());
        assertEquals(2, growing.at((1 << 20) + 8191).remoteKey());
        assertFalse(growing.contains((1 << 20) + 8191, 2));

        growing.learn(List.of(new Segments.Segment((1 << 20) + 8192, 1, 4 << 20, 4)), 4);
        assertEquals(4, growing.learned());
        assertTrue(growing.contains((1 << 20) + 8191, 2));
        assertEquals(4, growing.at((1 << 20) + 8192).remoteKey());
    }

    @Test
    void shouldJoinSegmentsOfOneRegionThatAdjoin()
    {
        final Segments growing = new Segments(List.of(new Segments.Segment(0, 4096, 1 << 20, 1)), 1024);
        growing.learn(List.of(
            new Segments.Segment(0, 4096, 1 << 20, 1),
            new Segments.Segment(8192, 4096, 9 << 20, 2),
            new Segments.Segment(12288, 4096, (9 << 20) + 4096, 2),
            // Of another region; then with a gap at the server.
            new Segments.Segment(16384, 4096, (9 << 20) + 8192, 3),
            new Segments.Segment(20480, 4096, 9 << 20, 3)), 5);
        assertEquals(5, growing.learned());
        assertEquals(new Segments.Segment(8192, 8192, 9 << 20, 2), growing.at(16383));
        assertEquals(new Segments.Segment(16384, 4096, (9 << 20) + 8192, 3), growing.at(16384));
        assertEquals(new Segments.Segment(20480, 4096, 9 << 20, 3), growing.at(20480));

        growing.learn(List.of(new Segments.Segment(24576, 1, (9 << 20) + 4096, 3)), 6);
        assertEquals(new Segments.Segment(20480, 4097, 9 << 20, 3), growing.at(24576));
        growing.learn(List.of(new Segments.Segment(12288, 4096, (9 << 20) + 4096, 2)), 7);
        assertEquals(7, growing.learned());
        assertThrows(IllegalArgumentException.class,
            () -> growing.learn(List.of(new Segments.Segment(12288, 4096, 9 << 20, 2)), 8));
    }

    @Test
    void shouldForgetAllButWhatItKnewFromTheStart()
    {
        final Segments.Segment first = new Segments.Segment(0, 4096, 1 << 20, 1);
        final Segments growing = new Segments(List.of(first), 1024);
        // Joined with the first one, as on a device with one region for all.
        growing.learn(List.of(first, new Segments.Segment(4096, 4096, (1 << 20) + 4096, 1)), 2);
        growing.learn(List.of(new Segments.Segment(1 << 16, 4096, 3 << 20, 3)), 3);
        assertEquals(3, growing.at(1 << 16).remoteKey());

        growing.forget();
        assertEquals(0, growing.learned());
        assertEquals(0, growing.generation());
        assertFalse(growing.contains(1 << 16, 1));
        assertFalse(growing.contains(4096, 1));
        assertTrue(growing.contains(0, 4096));

        growing.learn(List.of(first, new Segments.Segment(1 << 16, 8192, 5 << 20, 4)), 3);
        assertEquals(4, growing.at((1 << 16) + 8191).remoteKey());
    }

    /** A READ may be about to go to a segment that the directory marks as removed meanwhile. */
    @Test
    void shouldKeepWhatItKnowsWhenTheDirectoryIsWrittenAnew()
    {
        final Segments.Segment first = new Segments.Segment(0, 4096, 1 << 20, 1);
        final Segments.Segment second = new Segments.Segment(1 << 16, 4096, 3 << 20, 3);
        final Segments growing = new Segments(List.of(first), 1024);
        growing.learn(List.of(first, second), 2);

        growing.learnAnew(2);
        assertEquals(0, growing.learned());
        assertEquals(2, growing.generation());
        assertTrue(growing.contains(1 << 16, 4096));
        growing.learn(List.of(first, new Segments.Segment(1 << 17, 4096, 5 << 20, 4)), 2);
        assertEquals(2, growing.learned());
        assertTrue(growing.contains(1 << 16, 4096));
        assertEquals(4, growing.at(1 << 17).remoteKey());
        growing.forget();
        assertFalse(growing.contains(1 << 16, 1));
        assertEquals(2, growing.generation());
    }

    @Test
    void shouldRefuseEntriesThatOverlapAndStayAsItWas()
    {
        final Segments growing = new Segments(List.of(new Segments.Segment(0, 4096, 1 << 20, 1)), 1024);
        assertThrows(IllegalArgumentException.class, () -> growing.learn(List.of(
            new Segments.Segment(8192, 4096, 0, 2), new Segments.Segment(4095, 10, 0, 3)), 2));
        assertEquals(0, growing.learned());
        assertNull(growing.at(8192));
        assertEquals(1, growing.at(0).remoteKey());
    }

    @Test
    void shouldFindEachOfManySegments()
    {
        final List<Segments.Segment> many = new ArrayList<>();
        for (int i = 0; i < 1_000; i++)
        {
            many.add(new Segments.Segment(i * 100L, 50 + i % 50, 0, i));
        }
        Collections.shuffle(many, new Random(5));
        final Segments all = new Segments(many);
        for (int i = 0; i < 1_000; i++)
        {
            assertEquals(i, all.at(i * 100L).remoteKey());
            assertEquals(i, all.at(i * 100L + 49 + i % 50).remoteKey());
            assertNull(all.at(i * 100L + 50 + i % 50));
        }
    }
}
