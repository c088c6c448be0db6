package org.onesided.tools.kvctl.console;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.Charset;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArgumentsTest
{
    @Test
    void shouldDecodeArgumentsWhateverJavaMadeOfThem()
    {
        final List<byte[]> commandLine =
            commandLine(UTF_8, "java", "-jar", "kvctl.jar", "put", "schlüssel", "漢字 😀", "");

        assertArrayEquals(
            new String[]{"put", "schlüssel", "漢字 😀", ""},
            Arguments.decode(new String[]{"put", "schl??ssel", "\uFFFD\uFFFD", ""}, commandLine));
    }

    @Test
    void shouldTakeAReplacementCharacterThatWasGiven()
    {
        assertArrayEquals(
            new String[]{"get", "\uFFFD"},
            Arguments.decode(new String[]{"get", "\uFFFD"}, commandLine(UTF_8, "java", "Kvctl", "get", "\uFFFD")));
    }

    @Test
    void shouldRefuseAnArgumentThatIsNotUtf8()
    {
        final List<byte[]> commandLine = commandLine(ISO_8859_1, "java", "Kvctl", "put", "k", "é");

        final CommandException e = assertThrows(
            CommandException.class, () -> Arguments.decode(new String[]{"put", "k", "\uFFFD"}, commandLine));

        assertEquals(ExitCode.USAGE, e.exitCode());
        assertTrue(e.getMessage().startsWith("argument 3 is not valid UTF-8"), e.getMessage());
        assertTrue(e.getMessage().contains("kvctl put KEY -"), e.getMessage());
        assertTrue(e.getMessage().contains("--value-encoding escaped"), e.getMessage());
    }

    @Test
    void shouldTellHowTheCommandTakesOtherBytes()
    {
        assertEquals(
            "argument 2 is not valid UTF-8; write such a key as 'caf\\xE9' and add --key-encoding escaped: " +
                "kvctl get --key-encoding escaped ...",
            refusal("get", "café"));
        assertTrue(refusal("mput", "a", "é").endsWith("kvctl mput -"));
        // A file's name has no encoding.
        assertEquals("argument 2 is not valid UTF-8", refusal("import", "é.tsv"));
    }

    private static String refusal(final String... words)
    {
        final String[] all = new String[words.length + 1];
        all[0] = "java";
        System.arraycopy(words, 0, all, 1, words.length);
        return assertThrows(CommandException.class, () -> Arguments.decode(words, commandLine(ISO_8859_1, all)))
            .getMessage();
    }

    @Test
    void shouldRefuseAReplacementCharacterIfTheBytesAreNotKnown()
    {
        assertThrows(CommandException.class, () -> Arguments.decode(new String[]{"a", "b\uFFFD"}, List.of()));
        assertArrayEquals(new String[]{"a", "é"}, Arguments.decode(new String[]{"a", "é"}, List.of()));
    }

    @Test
    void shouldSplitWordsAtZeroBytes()
    {
        final List<byte[]> words = Arguments.split("a\0\0bc\0".getBytes(UTF_8));

        assertEquals(List.of("a", "", "bc"), words.stream().map(word -> new String(word, UTF_8)).toList());
    }

    @Test
    void shouldTellWhatStartsTheProgramAgain() throws Exception
    {
        final List<String> program = Arguments.program(0);

        assertTrue(program.get(0).endsWith("java"), program.toString());
        assertEquals(program.subList(0, program.size() - 1), Arguments.program(1));
    }

    private static List<byte[]> commandLine(final Charset charset, final String... words)
    {
        return List.of(words).stream().map(word -> word.getBytes(charset)).toList();
    }
}
