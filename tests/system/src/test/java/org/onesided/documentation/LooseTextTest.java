package org.onesided.documentation;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class LooseTextTest
{
    @Test
    void shouldTakeOtherNumbers()
    {
        assertTrue(matches("ready: 127.0.0.1:19875 memory=256 MiB", "ready: 10.0.0.7:1 memory=1.5 GiB"));
        assertTrue(matches("1 READ, 1,000.5 us, 99 %", "3 READs,  7 ms, 1.25 %"));
        assertTrue(matches("GID ::ffff:10.9.0.1 of 0x7f68", "GID fe80:0000:0000:0000:047e:adff:fe6f:b3c0 of 0x1"));
    }

    @Test
    void shouldNotTakeOtherWords()
    {
        assertFalse(matches("not found: nobody", "not found: somebody"));
        assertFalse(matches("#f00", "#f11"));
        assertFalse(matches("2 pairs", "2 keys"));
        assertFalse(matches("5 puts", "puts"));
    }

    @Test
    void shouldTakeAnythingForDots()
    {
        assertTrue(matches("get ... 1 READ", "get poem  Roses  1 READ"));
        assertTrue(LooseText.matches(List.of("first", "  ...", "last"), List.of("first", "a", "b", "last")));
        assertTrue(LooseText.matches(List.of("first", "..."), List.of("first")));
        assertFalse(LooseText.matches(List.of("first", "...", "last"), List.of("first", "a", "b")));
    }

    @Test
    void shouldNotTakeMoreLinesOrFewer()
    {
        assertFalse(LooseText.matches(List.of("one"), List.of("one", "two")));
        assertFalse(LooseText.matches(List.of("one", "two"), List.of("one")));
    }

    private static boolean matches(final String shown, final String printed)
    {
        return LooseText.matches(List.of(shown), List.of(printed));
    }
}
