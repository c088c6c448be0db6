package org.onesided.tools.kvctl.rdma.talk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShellLineTest
{
    @ParameterizedTest
    @CsvSource({"4096, 4096", "0, 0", "0x1000, 4096", "4k, 4096", "1M, 1048576", "010, 10", "0xfK, 15360"})
    void shouldReadNumbersAsPeopleWriteThem(final String text, final long value)
    {
        assertEquals(List.of(value, 0L, 1L), ShellLine.parse("read " + text + " 0 1").numbers());
    }

    @ParameterizedTest
    @CsvSource({"recv 0 1, RECEIVE", "RECEIVE 0 1, RECEIVE", "  quit  , QUIT", "exit, QUIT", "?, HELP", "show, SHOW"})
    void shouldKnowVerbsByTheirNames(final String line, final ShellLine.Verb verb)
    {
        assertEquals(verb, ShellLine.parse(line).verb());
    }

    @Test
    void shouldTakeTheRestOfTheLineForText()
    {
        final ShellLine line = ShellLine.parse("set  64   two  words 7 ");

        assertEquals(List.of(64L), line.numbers());
        assertEquals("two  words 7", line.text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "   ", "\t", "# a comment"})
    void shouldPassOverEmptyLines(final String line)
    {
        assertNull(ShellLine.parse(line));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "sing|no such command: sing, see help",
        "read 0 0|write: read LOCAL REMOTE LENGTH",
        "read 0 0 1 1|write: read LOCAL REMOTE LENGTH",
        "set 0|write: set LOCAL TEXT",
        "quit now|write: quit",
        "send -1 4|not a number: -1; write one like 4096, 0x1000 or 4k",
        "send 1.5 4|not a number: 1.5;",
        "send 0x 4|not a number: 0x;",
        "send 9999999999999999999999 4|not a number: 9999999999999999999999;",
    })
    void shouldSayWhatIsWrongWithALine(final String line, final String message)
    {
        final IllegalArgumentException e =
            assertThrows(IllegalArgumentException.class, () -> ShellLine.parse(line));

        assertTrue(e.getMessage().startsWith(message), e.getMessage());
    }

    @Test
    void shouldRefuseANumberThatOverflows()
    {
        assertThrows(ArithmeticException.class, () -> ShellLine.parse("send 999999999999999999m 4"));
    }

    @ParameterizedTest
    @EnumSource(ShellLine.Verb.class)
    void shouldHelpWithEachVerb(final ShellLine.Verb verb)
    {
        assertTrue(verb.help().strip().startsWith(verb.name().toLowerCase(Locale.ROOT)), verb.help());
        assertTrue(verb.help().length() <= 100, verb.help());
    }
}
