package org.onesided.tools.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jline.reader.Parser;
import org.jline.reader.impl.DefaultParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * The examples in the help are command lines that kvctl takes.
 */
class HelpExamplesTest
{
    private static final List<String> OPERATORS = List.of("|", "||", "&&", "&", ";", ">", ">>", "<");

    /** Of the help, without the indentation of examples. */
    private static final int WIDTH = 78;

    static Stream<String> commands()
    {
        return CommandModel.all().stream().map(CommandSpec::qualifiedName);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldHaveTwoExamplesThatItTakes(final String name)
    {
        final CommandSpec command = CommandModel.all().stream()
            .filter(each -> each.qualifiedName().equals(name)).findFirst().orElseThrow();
        final List<String> examples = CommandModel.examples(command);
        assertEquals(2, examples.size(), name);
        for (final String example : examples)
        {
            assertTrue(example.length() <= WIDTH, "the help breaks this line: " + example);
            final List<List<String>> calls = calls(example);
            assertFalse(calls.isEmpty(), example);
            calls.forEach(HelpExamplesTest::parse);
            assertTrue(
                calls.stream().anyMatch(call -> ("kvctl " + String.join(" ", call) + " ").startsWith(name + " ")),
                example);
        }
    }

    @Test
    void shouldFindTheCallsOfALine()
    {
        assertEquals(
            List.of(List.of("put", "a b", "c"), List.of("get", "a b")),
            calls("kvctl put 'a b' c && kvctl get \"a b\" > file"));
        assertEquals(List.of(List.of("completion", "zsh")), calls("source <(kvctl completion zsh)"));
        assertThrows(ParameterException.class, () -> parse(List.of("get", "--nonsense", "k")));
    }

    private static void parse(final List<String> arguments)
    {
        CommandModel.commandLine().parseArgs(arguments.toArray(String[]::new));
    }

    /** The arguments of each kvctl in a line of a shell. */
    private static List<List<String>> calls(final String line)
    {
        final List<List<String>> calls = new ArrayList<>();
        List<String> call = null;
        final String plain = line.replace("<(", "").replaceAll("\\)$", "");
        for (final String word : new DefaultParser().parse(plain, 0, Parser.ParseContext.ACCEPT_LINE).words())
        {
            if (word.equals("kvctl"))
            {
                call = new ArrayList<>();
                calls.add(call);
            }
            else if (OPERATORS.contains(word))
            {
                call = null;
            }
            else if (call != null)
            {
                call.add(word);
            }
        }
        return calls;
    }
}
