package org.onesided.tools.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * docs/command-line.md tells what the commands take. To write it anew:
 * {@code ./check -pl tools -am -Dtest=CommandLineDocTest -Dsurefire.failIfNoSpecifiedTests=false -Ddocs.write=true}.
 */
class CommandLineDocTest
{
    private static final Path PAGE = Path.of("..", "docs", "command-line.md");
    /** Those without a variable: there is nothing to have by default. */
    private static final List<String> WITHOUT = List.of("--help-all", "--version");

    @Test
    void shouldTellWhatTheCommandsTake() throws IOException
    {
        if (Boolean.getBoolean("docs.write"))
        {
            Files.writeString(PAGE, CommandLineDoc.page());
        }
        assertEquals(CommandLineDoc.page(), Files.readString(PAGE), "write it anew with -Ddocs.write=true");
    }

    @Test
    void shouldHaveAVariableForEachOptionOfAllCommands()
    {
        final CommandSpec kvctl = CommandModel.all().get(0);
        for (final OptionSpec option : kvctl.options())
        {
            final String variable =
                "KVCTL" + option.longestName().substring(1).replace('-', '_').toUpperCase(Locale.ROOT);
            final String description = String.join(" ", option.description());
            assertTrue(WITHOUT.contains(option.longestName()) || description.contains(variable + " ") ||
                description.contains(variable + ","), option.longestName() + ": " + description);
        }
    }
}
