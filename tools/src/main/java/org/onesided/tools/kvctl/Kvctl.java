package org.onesided.tools.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.onesided.client.StoreClient;
import org.onesided.tools.kvctl.command.ClientOptions;
import org.onesided.tools.kvctl.command.CommandGroup;
import org.onesided.tools.kvctl.command.Failures;
import org.onesided.tools.kvctl.command.HelpOption;
import org.onesided.tools.kvctl.command.Invocation;
import org.onesided.tools.kvctl.command.SettingOptions;
import org.onesided.tools.kvctl.command.ShortHelp;
import org.onesided.tools.kvctl.console.Arguments;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.StandardOutput;
import org.onesided.tools.kvctl.console.Surroundings;
import org.onesided.tools.kvctl.console.Text;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/**
 * The command line of the store. Each command is a class of its own; {@link ExitCode} lists the exit codes.
 */
@Command(
    name = "kvctl",
    description = "A key-value store whose clients look keys up by RDMA READ of the server's memory.",
    abbreviateSynopsis = true,
    commandListHeading = "%nCommands:%n",
    synopsisSubcommandLabel = "COMMAND",
    versionProvider = Kvctl.Version.class,
    footer = {
        "",
        "Exit codes: 0 done, 1 failed, 2 usage, 3 not found, 4 cannot connect,",
        "5 conflict, 6 deadline (a write may have been done), 7 store full,",
        "8 storage failed (the server's disk is full or broken), 9 not served (a cluster's",
        "partition has no leader now), 10 read only (the token or certificate allows",
        "lookups only), 130 interrupted (Ctrl-C).",
        "",
        "Examples:",
        "  kvctl quickstart",
        "  kvctl put greeting hello && kvctl get greeting",
        "",
        "kvctl COMMAND --help shows more about a command, kvctl --help-all the options of connections, such as " +
            "--server, which may also stand before the command.",
    })
public final class Kvctl extends CommandGroup implements Invocation
{
    static final String VERBOSE_VARIABLE = "KVCTL_VERBOSE";

    private final Surroundings surroundings;
    private final StoreClient sharedClient;

    private final SettingOptions connection = ClientOptions.declare();

    @Mixin
    private final CommandSpec connectionOptions = connection.spec();

    @Option(names = "--version", versionHelp = true, description = "Show the version and exit.")
    private boolean isVersionAsked;

    @Option(
        names = {"-v", "--verbose"},
        scope = ScopeType.INHERIT,
        description = "Print more on standard error: the log, and the origin of a failure; also if KVCTL_VERBOSE is " +
            "set.")
    private boolean isVerbose;

    /**
     * @param surroundings streams and variables of the commands.
     * @param sharedClient client for all commands; null if each opens its own.
     */
    Kvctl(final Surroundings surroundings, final StoreClient sharedClient)
    {
        this.surroundings = surroundings;
        this.sharedClient = sharedClient;
    }

    /**
     * Runs a command and ends the process with its exit code.
     *
     * @param arguments a command and its own.
     */
    public static void main(final String[] arguments)
    {
        if (System.getProperty(TrainingRun.PROPERTY) != null)
        {
            TrainingRun.main(arguments);
        }
        System.exit(runProcess(arguments, Surroundings.ofProcess()).code());
    }

    /**
     * Runs a command without ending the process. Thread-safe, except for {@code server}, which ends the process on a
     * signal.
     *
     * @param arguments   a command and its own.
     * @param in          standard input; not closed.
     * @param out         standard output; not closed.
     * @param err         standard error; not closed.
     * @param environment variables that stand in for options.
     * @return the exit code: 0 done, 1 failed, 2 usage, 3 not found, 4 cannot connect, 5 conflict, 6 deadline, 7 store
     *         full, 8 storage failed, 9 not served, 10 read only.
     */
    public static int run(
        final List<String> arguments,
        final InputStream in,
        final OutputStream out,
        final PrintStream err,
        final Map<String, String> environment)
    {
        final Surroundings surroundings = new Surroundings(in, out, err, Map.copyOf(environment), false, false, false);
        return run(arguments.toArray(String[]::new), surroundings).code();
    }

    private static ExitCode runProcess(final String[] arguments, final Surroundings surroundings)
    {
        final String[] decoded;
        try
        {
            decoded = Arguments.ofProcess(arguments);
        }
        catch (final CommandException e)
        {
            return Failures.report(e, "kvctl", surroundings, false);
        }
        return run(decoded, surroundings);
    }

    /** Runs a command in this process. */
    static ExitCode run(final String[] arguments, final Surroundings surroundings)
    {
        final Kvctl kvctl = new Kvctl(surroundings, null);
        final CommandLine commandLine = new CommandLine(kvctl);
        Commands.add(commandLine, arguments);
        return kvctl.run(commandLine, arguments);
    }

    /**
     * Runs a command in this process.
     *
     * @param commandLine of this object, with its commands.
     * @param arguments   a command and its own.
     * @return the exit code.
     */
    ExitCode run(final CommandLine commandLine, final String[] arguments)
    {
        final OptionDefaults defaults = new OptionDefaults(surroundings);
        commandLine
            .setOut(new PrintWriter(new OutputStreamWriter(new StandardOutput(surroundings.out()), UTF_8), true))
            .setErr(new PrintWriter(surroundings.err(), true))
            .setColorScheme(Help.defaultColorScheme(surroundings.outIsColoured() ? Ansi.ON : Ansi.OFF))
            // A key or value may begin with @.
            .setExpandAtFiles(false)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setDefaultValueProvider(defaults)
            .setHelpFactory(ShortHelp.factory(Arrays.asList(arguments).contains(HelpOption.ALL)))
            .setParameterExceptionHandler((e, args) -> reportUsage(e, args, defaults))
            .setExecutionExceptionHandler((e, command, result) ->
                Failures.report(e, name(command), surroundings, isVerbose()).code());
        try
        {
            return ExitCode.values()[commandLine.execute(arguments)];
        }
        catch (final Error e)
        {
            // For example, out of memory. Picocli passes only exceptions to its handler.
            return Failures.report(e, "kvctl", surroundings, isVerbose());
        }
    }

    @Override
    public StoreClient sharedClient()
    {
        return sharedClient;
    }

    @Override
    public Surroundings surroundings()
    {
        return surroundings;
    }

    @Override
    public SettingOptions connection()
    {
        return connection;
    }

    @Override
    public boolean isVerbose()
    {
        return isVerbose || surroundings.variable(VERBOSE_VARIABLE) != null;
    }

    private static String name(final CommandLine command)
    {
        return command.getCommandSpec().qualifiedName().strip();
    }

    private int reportUsage(final ParameterException e, final String[] arguments, final OptionDefaults defaults)
    {
        final String name = name(e.getCommandLine());
        final StringBuilder message = new StringBuilder(UsageMessage.of(e, arguments, defaults));
        if (message.indexOf("unknown option") == 0)
        {
            message.append("; before a key or value that begins with - write --");
        }
        message.append("; see ").append(name).append(name.isEmpty() ? "help" : " --help");
        surroundings.err().println((name.isEmpty() ? "" : name + ": ") + Text.oneLine(message.toString()));
        return ExitCode.USAGE.code();
    }

    /**
     * Tells the version that the jar was built from.
     */
    static final class Version implements IVersionProvider
    {
        @Override
        public String[] getVersion()
        {
            final String version = Kvctl.class.getPackage().getImplementationVersion();
            return new String[]{"kvctl " + (version == null ? "(not packaged)" : version)};
        }
    }
}
