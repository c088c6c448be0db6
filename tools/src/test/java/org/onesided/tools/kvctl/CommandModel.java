package org.onesided.tools.kvctl;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.onesided.tools.kvctl.console.Surroundings;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The commands as picocli knows them, for what is made of them.
 */
public final class CommandModel
{
    private CommandModel()
    {
    }

    /**
     * kvctl with all its commands.
     *
     * @return the command line.
     */
    public static CommandLine commandLine()
    {
        return commandLine(Map.of());
    }

    /**
     * kvctl with all its commands, for parsing, with variables.
     *
     * @param environment variables.
     * @return the command line.
     */
    public static CommandLine commandLine(final Map<String, String> environment)
    {
        final Surroundings surroundings = new Surroundings(
            InputStream.nullInputStream(), OutputStream.nullOutputStream(), System.err, environment,
            false, false, false);
        final CommandLine commandLine = new CommandLine(new Kvctl(surroundings, null));
        Commands.add(commandLine, Commands.NAMES);
        return commandLine
            .setExpandAtFiles(false)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setDefaultValueProvider(new OptionDefaults(surroundings));
    }

    /** kvctl, its commands and theirs, but for help, each before those below it. */
    static List<CommandSpec> all()
    {
        final List<CommandSpec> all = new ArrayList<>();
        add(commandLine(), all);
        return all;
    }

    private static void add(final CommandLine command, final List<CommandSpec> all)
    {
        if (!"help".equals(command.getCommandName()))
        {
            all.add(command.getCommandSpec());
            command.getSubcommands().values().forEach(each -> add(each, all));
        }
    }

    /** Lines of a command's help below "Examples:". */
    static List<String> examples(final CommandSpec command)
    {
        final List<String> footer = List.of(command.usageMessage().footer());
        final List<String> examples = new ArrayList<>();
        for (int i = footer.indexOf("Examples:") + 1; i > 0 && i < footer.size() && footer.get(i).startsWith("  "); i++)
        {
            examples.add(footer.get(i).strip());
        }
        return examples;
    }
}
