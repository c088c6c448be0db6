package org.onesided.tools.kvctl;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import org.onesided.tools.kvctl.console.Surroundings;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * Looks at command lines of kvctl without running them. Not thread-safe.
 */
public final class KvctlSyntax
{
    /** Made once, since that takes long. */
    private static final CommandLine KVCTL = commandLine();

    private KvctlSyntax()
    {
    }

    /**
     * Parses as kvctl does.
     *
     * @param arguments of kvctl.
     * @return what is wrong, null if nothing is.
     */
    public static String complaint(final List<String> arguments)
    {
        try
        {
            KVCTL.parseArgs(arguments.toArray(String[]::new));
            return null;
        }
        catch (final ParameterException e)
        {
            return e.getMessage();
        }
    }

    /**
     * Looks for commands and options of a line that is none to be typed, such as {@code put KEY [--deadline TIME]}.
     *
     * @param arguments of kvctl.
     * @return the first that kvctl does not know, null if it knows all.
     */
    public static String unknown(final List<String> arguments)
    {
        CommandLine command = KVCTL;
        boolean isCommand = true;
        for (final String word : arguments)
        {
            final CommandLine below = command.getSubcommands().get(word);
            if (below != null && isCommand)
            {
                command = below;
            }
            else if (word.matches("-{1,2}[a-zA-Z].*"))
            {
                if (command.getCommandSpec().findOption(word.replaceAll("=.*", "")) == null)
                {
                    return word;
                }
            }
            else if (isCommand && command.getParent() == null && !word.matches("[A-Z.]+|-+"))
            {
                return word;
            }
            else
            {
                isCommand = false;
            }
        }
        return null;
    }

    private static CommandLine commandLine()
    {
        return commandLine(new Surroundings(
            InputStream.nullInputStream(), OutputStream.nullOutputStream(), System.err, Map.of(), false, false, false));
    }

    /**
     * kvctl with all its commands, for parsing.
     *
     * @param surroundings whose variables stand in for options.
     * @return the command line.
     */
    public static CommandLine commandLine(final Surroundings surroundings)
    {
        final CommandLine commandLine = new CommandLine(new Kvctl(surroundings, null));
        Commands.add(commandLine, Commands.NAMES);
        return commandLine
            .setExpandAtFiles(false)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setDefaultValueProvider(new OptionDefaults(surroundings));
    }
}
