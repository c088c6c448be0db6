package org.onesided.tools.kvctl.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.jline.reader.EOFError;
import org.jline.reader.Parser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShellLineTest
{
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "put a b|put,a,b",
        "put  'a b'\t\"c d\"|put,a b,c d",
        "put a\\ b '' |put,a b,",
        "put \"it's\" 'say \"x\"'|put,it's,say \"x\"",
        "put x\"y z\"|put,xy z",
        "put ! #f00 é|put,!,#f00,é",
        "'' a''b|,ab",
        "put 'a\\b' \"c\\d\"|put,a\\b,cd",
        "put \\\\ \\\"|put,\\,\"",
    })
    void shouldSplitWords(final String line, final String words) throws Exception
    {
        assertEquals(List.of(words.split(",", -1)), ShellLine.words(line));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "\t", "# a comment", "  # another"})
    void shouldFindNothingInALineWithoutWords(final String line) throws Exception
    {
        assertEquals(List.of(), ShellLine.words(line));
    }

    @ParameterizedTest
    @ValueSource(strings = {"put \"a", "put 'a b", "put a\\"})
    void shouldRefuseALineThatIsNotComplete(final String line)
    {
        assertThrows(ShellLine.IncompleteException.class, () -> ShellLine.words(line));
        assertThrows(
            EOFError.class, () -> new ShellParser().parse(line, line.length(), Parser.ParseContext.ACCEPT_LINE));
    }

    @Test
    void shouldGoOnInTheNextLine() throws Exception
    {
        assertEquals(List.of("put", "ab", "c\nd"), ShellLine.words("put a\\\nb 'c\nd'"));
    }

    @Test
    void shouldKnowTheLastLine()
    {
        assertTrue(ShellLine.isLast(List.of("exit")));
        assertTrue(ShellLine.isLast(List.of("quit")));
        assertFalse(ShellLine.isLast(List.of("exit", "now")));
        assertFalse(ShellLine.isLast(List.of()));
    }
}
