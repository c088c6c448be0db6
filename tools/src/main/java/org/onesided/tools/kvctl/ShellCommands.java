package org.onesided.tools.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.onesided.client.StoreClient;
import org.onesided.tools.kvctl.command.Failures;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.StandardOutput;
import org.onesided.tools.kvctl.console.Surroundings;
import org.onesided.tools.kvctl.console.Text;
import org.onesided.tools.kvctl.shell.LineRunner;
import org.onesided.tools.text.Table;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The commands of a shell; all use the shell's client.
 */
final class ShellCommands implements LineRunner
{
    /** In the order of the help. */
    static final List<String> NAMES = List.of(
        "put", "get", "delete", "getdel", "incr", "append", "touch", "persist", "ttl", "mput", "mget", "import",
        "export", "stats", "ping", "help");

    private static final String HELP = "help";

    private final StoreClient client;
    private final Surroundings outer;
    private final PrefixedOutput prefixed;
    private final Surroundings surroundings;
    private final LineEndOutput output;
    private final CommandSpec spec;
    private String shell = "kvctl shell";

    /**
     * @param client       for all commands.
     * @param surroundings of the shell.
     * @param variables    of the commands, beside those of the process.
     * @param isVerbose    whether all commands print more.
     */
    ShellCommands(
        final StoreClient client,
        final Surroundings surroundings,
        final Map<String, String> variables,
        final boolean isVerbose)
    {
        this.client = client;
        output = new LineEndOutput(surroundings.out());
        final Map<String, String> environment = new HashMap<>(surroundings.environment());
        environment.putAll(variables);
        if (isVerbose)
        {
            environment.put(Kvctl.VERBOSE_VARIABLE, "yes");
        }
        outer = surroundings;
        prefixed = new PrefixedOutput(surroundings.err());
        // Progress would overwrite the numbers at the start of the lines.
        final boolean isTyped = surroundings.inIsTerminal() && surroundings.outIsTerminal();
        this.surroundings = new Surroundings(
            new NoInput(), output, new PrintStream(prefixed, true, UTF_8), environment, false,
            surroundings.outIsTerminal(), isTyped && surroundings.errIsTerminal());
        spec = commandLine(newKvctl(), NAMES).getCommandSpec();
    }

    @Override
    public void begin(final long number)
    {
        shell = "kvctl shell: line " + number;
        prefixed.prefix(shell + ": ");
    }

    @Override
    public boolean run(final List<String> words)
    {
        try
        {
            if (words.equals(List.of(HELP)))
            {
                new StandardOutput(output).write(help().getBytes(UTF_8));
                return true;
            }
            final Kvctl kvctl = newKvctl();
            // A new command line for each line, because commands keep the values of their options.
            final List<String> names =
                NAMES.contains(words.get(0)) && !HELP.equals(words.get(0)) ? List.of(words.get(0)) : NAMES;
            final ExitCode exitCode = kvctl.run(commandLine(kvctl, names), words.toArray(String[]::new));
            output.endLine();
            return exitCode == ExitCode.DONE;
        }
        catch (final IOException | CommandException e)
        {
            Failures.report(e, shell, outer, false);
            return false;
        }
    }

    @Override
    public void refuse(final String message)
    {
        outer.err().println(shell + ": " + Text.oneLine(message));
    }

    @Override
    public List<String> complete(final List<String> words, final int index, final int cursor)
    {
        final List<CharSequence> found = new ArrayList<>();
        AutoComplete.complete(spec, words.toArray(String[]::new), index, 0, cursor, found);
        final List<String> candidates = new ArrayList<>();
        for (final CharSequence each : found)
        {
            // Options of kvctl itself concern the connection, which the shell already has.
            if (spec.findOption(each.toString()) == null)
            {
                candidates.add(each.toString());
            }
        }
        if (index == 0)
        {
            candidates.add("exit");
        }
        return candidates;
    }

    private String help()
    {
        final Table table = new Table("command", "what it does; COMMAND --help explains it");
        for (final String name : NAMES)
        {
            table.row(name, name.equals(HELP) ? "Show this, or what a command takes." :
                spec.subcommands().get(name).getCommandSpec().usageMessage().description()[0]);
        }
        table.row("exit", "End the shell, as Ctrl-D does.");
        return table + "\nWords with blanks stand in quotes: put greeting 'Good morning'\n";
    }

    private Kvctl newKvctl()
    {
        return new Kvctl(surroundings, client);
    }

    private static CommandLine commandLine(final Kvctl kvctl, final List<String> names)
    {
        final CommandLine commandLine = new CommandLine(kvctl).setCommandName("");
        Commands.add(commandLine, names);
        return commandLine;
    }

    /**
     * Standard input of a command in a shell is empty: the shell's own input holds commands.
     */
    private static final class NoInput extends InputStream
    {
        @Override
        public int read() throws IOException
        {
            throw new IOException("in a shell it holds commands: give a value in quotes, or the name of a file");
        }
    }
}
