package org.onesided.protocol.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OneLineTest
{
    @ParameterizedTest
    @ValueSource(ints = {
        '\0', '\t', '\n', '\r', 0x1B, 0x7F, 0x80, 0x85, 0x9B, 0x9F, 0x2028, 0x2029, 0x202E, 0x2066, 0xFEFF})
    void shouldLeaveNothingThatTerminalsObeyOrThatEndsALine(final int disturbing)
    {
        final String text = "CN=a" + Character.toString(disturbing) + "b";
        assertEquals("CN=a b", OneLine.of(text));
        assertEquals("CN=a?b", OneLine.of(text, "?"));
    }

    @Test
    void shouldTakeAllControlCharacters()
    {
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++)
        {
            final String line = OneLine.of(Character.toString(c));
            if (Character.isISOControl(c))
            {
                assertEquals(" ", line);
            }
            assertFalse(line.codePoints().anyMatch(Character::isISOControl));
        }
    }

    @Test
    void shouldLeaveTextsAsTheyAre()
    {
        for (final String text : new String[]{"", "CN=Zo\u00EB $1 \\ ~", "\u00A0\u65E5\u672C\uD83D\uDE00"})
        {
            assertEquals(text, OneLine.of(text));
        }
        assertEquals("null", OneLine.of(null));
    }
}
