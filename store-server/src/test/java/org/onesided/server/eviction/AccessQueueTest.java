package org.onesided.server.eviction;

import static org.junit.jupiter.api.Assertions.*;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.onesided.protocol.bootstrap.AccessWord;

class AccessQueueTest
{
    private final List<String> told = new ArrayList<>();
    private final AccessQueue queue =
        new AccessQueue((key, isFound, isDrawn, sampling) ->
            told.add(key + (isFound ? "+" : "-") + (isDrawn ? "drawn" : "") + sampling));

    private static UnsafeBuffer words(final int count)
    {
        final UnsafeBuffer words = new UnsafeBuffer(new byte[count * AccessWord.LENGTH]);
        for (int i = 0; i < count; i++)
        {
            final long word = AccessWord.of(4L * i, i % 2 == 0, i % 3 == 0);
            words.putLong(i * AccessWord.LENGTH, word, ByteOrder.LITTLE_ENDIAN);
        }
        return words;
    }

    @Test
    void shouldTellOfLookupsInOrderABoundedNumberAtATime()
    {
        assertEquals(0, queue.add(words(150), 0, 150 * AccessWord.LENGTH, 7));
        assertTrue(queue.take());
        assertEquals(AccessQueue.CHUNK, told.size());
        assertEquals(List.of("0+drawn7", "4-7", "8+7", "12-drawn7"), told.subList(0, 4));
        assertTrue(queue.take());
        assertTrue(queue.take());
        assertFalse(queue.take());
        assertEquals(150, told.size());
        assertEquals("596-7", told.get(149));
    }

    @Test
    void shouldLeaveOutARestThatIsNoWord()
    {
        assertEquals(0, queue.add(words(2), 0, AccessWord.LENGTH + 3, 1));
        queue.take();
        assertEquals(List.of("0+drawn1"), told);
        assertEquals(0, queue.add(words(2), 0, 3, 1));
        assertFalse(queue.take());
    }

    @Test
    void shouldDropWhatAShardDoesNotKeepUpWith()
    {
        int dropped = 0;
        int added = 0;
        while (dropped == 0)
        {
            dropped = queue.add(words(AccessWord.MAX_COUNT), 0, AccessWord.MAX_COUNT * AccessWord.LENGTH, 1);
            added += AccessWord.MAX_COUNT - dropped;
        }
        assertTrue(queue.isUrgent());
        while (queue.take())
        {
            assertTrue(told.size() <= added);
        }
        assertEquals(added, told.size());
        assertFalse(queue.isUrgent());
        assertEquals(0, queue.add(words(1), 0, AccessWord.LENGTH, 1));
    }
}
