package org.onesided.tools.kvctl.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.function.DoubleSupplier;
import org.onesided.server.ServerConfiguration;
import org.onesided.server.ServerException;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;
import org.onesided.tools.kvctl.command.ClientOptions;
import org.onesided.tools.kvctl.command.Failures;
import org.onesided.tools.kvctl.command.KvctlCommand;
import org.onesided.tools.kvctl.command.RdmaOptions;
import org.onesided.tools.kvctl.command.RdmaSetting;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.FileMessages;
import org.onesided.tools.kvctl.console.StopHook;
import org.onesided.tools.kvctl.console.WaitNotice;
import org.onesided.tools.log.JsonLogProvider;
import org.onesided.tools.machine.MachineMemory;
import org.onesided.tools.metrics.MetricsEndpoint;
import org.onesided.tools.metrics.Served;
import org.onesided.tools.text.Amounts;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/**
 * {@code kvctl server}.
 */
@Command(
    name = ServerCommand.NAME,
    modelTransformer = ServerCommand.OwnOptions.class,
    description = "Serve a store, in memory, until told to stop (Ctrl-C or SIGTERM).",
    footer = {
        "",
        "Prints one line on standard output when clients can connect; the log goes to standard error. " +
            "Without a token or an authority of clients' certificates it listens on this machine only.",
        "",
        "What is not given comes from a variable, else from the file of --config: for --record-size, " +
            "KVCTL_SERVER_RECORD_SIZE, and a line such as record-size=200.",
        "",
        "Examples:",
        "  kvctl server --memory 1g",
        "  kvctl server --config server.properties --metrics 9875",
    })
public final class ServerCommand extends KvctlCommand
{
    /** Name of the command. */
    public static final String NAME = "server";

    private final ServerOptionList own = new ServerOptionList();

    @Option(
        names = "--device",
        paramLabel = "NAME",
        description = "What carries the verbs: ibv, ibv:NAME (kvctl rdma devices lists them), shm, " +
            "tcp[:HOST_OR_INTERFACE:PORT] (without them at the host of --listen and any port), several with commas " +
            "between them, or auto for the best there is; else KVCTL_DEVICE, else auto.")
    private String device;

    @ArgGroup(validate = false, heading = RdmaOptions.HEADING)
    private RdmaOptions rdma = new RdmaOptions();

    @Option(
        names = "--token-file",
        paramLabel = "FILE",
        description = "File with the secret that clients must show; else KVCTL_TOKEN_FILE (or KVCTL_TOKEN, the " +
            "secret itself), else none.")
    private Path tokenFile;

    /** Adds those options that are not declared by annotations. */
    static final class OwnOptions implements IModelTransformer
    {
        @Override
        public CommandSpec transform(final CommandSpec spec)
        {
            ((ServerCommand)spec.userObject()).own.all().forEach(option -> spec.addOption(option.spec()));
            return spec;
        }
    }

    @Override
    protected ExitCode run() throws InterruptedException
    {
        invocation().logFrom("info");
        final ServerOptions options;
        try
        {
            options = options();
        }
        finally
        {
            // Above all where the start is refused, for want of what a variable with a wrong name was to give.
            tellStrangeVariables();
        }
        // Before anything is made: whatever there is then is closed when the process is told to stop.
        try (StopHook stop = StopHook.ending())
        {
            final Served served = new Served();
            final ExitCode exitCode;
            // Longer than the server: it tells that the server starts, and that it stops.
            try (MetricsEndpoint endpoint = listen(served))
            {
                exitCode = serve(options, stop, served, endpoint);
            }
            stop.exitCode(exitCode);
            return exitCode;
        }
    }

    private void tellStrangeVariables()
    {
        if (own.logFormat.value() == LogFormat.JSON)
        {
            JsonLogProvider.install(isVerbose() ? "debug" : "info");
        }
        ServerSettings.strange(spec(), surroundings().environment().keySet()).forEach((name) ->
            logger().warn("variable is no setting, correct its name or remove it: variable={}", name));
    }

    /** Null if metrics were not asked for. */
    private MetricsEndpoint listen(final Served served)
    {
        final ListenAddress metrics = own.metrics.value();
        if (metrics == null)
        {
            return null;
        }
        final InetSocketAddress address = new InetSocketAddress(metrics.host(), metrics.port());
        if (address.isUnresolved())
        {
            throw new CommandException(
                ExitCode.FAILED, "cannot serve metrics, the host has no address here: --metrics=" + metrics);
        }
        try
        {
            return MetricsEndpoint.start(address, served);
        }
        catch (final IOException e)
        {
            throw new CommandException(ExitCode.FAILED, "cannot serve metrics, choose another address: --metrics=" +
                metrics + " cause=" + e.getMessage(), e);
        }
    }

    /** What the server is started with. */
    ServerOptions options()
    {
        final ServerSettings settings = ServerSettings.load(spec(), own.config.value(), surroundings());
        settings.fill(spec().commandLine().getParseResult());
        final ServerOptions options = new ServerOptions();
        final Path secret = first(tokenFile, invocation().connection().tokenFile(), settings.tokenFile());
        options.token(ClientOptions.token(secret, surroundings()));
        if (invocation().connection().tls().isGiven())
        {
            throw new CommandException(ExitCode.USAGE, "options for TLS before the command are a client's: give a " +
                "server its own behind it");
        }
        new ServerCredentials(own).applyTo(options);
        own.all().forEach(option -> option.applyTo(options));
        final String deviceName =
            first(device, invocation().connection().device(surroundings()), settings.shared("device"));
        if (deviceName != null)
        {
            options.device(deviceName);
        }
        options.connection(ServerSettings.checked(
            rdma.over(
                invocation().connection().rdma(), surroundings(),
                settings.connection(ServerConfiguration.connection())),
            RdmaSetting.RNR_RETRIES.option()));
        options.measuresTimes(own.metrics.value() != null);
        checkMemory(options.memory());
        return options;
    }

    private static <T> T first(final T first, final T second, final T third)
    {
        return first != null ? first : second != null ? second : third;
    }

    private static void checkMemory(final long memory)
    {
        final long machine = MachineMemory.here().bytes();
        if (memory > machine)
        {
            throw new CommandException(ExitCode.USAGE, "--memory is larger than this machine, give less: memory=" +
                Amounts.size(memory) + " machine=" + Amounts.size(machine));
        }
    }

    private ExitCode serve(
        final ServerOptions options, final StopHook stop, final Served served, final MetricsEndpoint endpoint)
        throws InterruptedException
    {
        options.onFailure(stop::tell);
        try (StoreServer server = start(options))
        {
            served.started(server);
            announce(ServerReady.line(
                new ListenAddress(options.listenHost(), server.address().getPort()),
                server.device(), options.memory(), server.hugePages(), server.shardCount(),
                endpoint == null ? null : new ListenAddress(own.metrics.value().host(), endpoint.address().getPort())));
            if (endpoint != null && !endpoint.address().getAddress().isLoopbackAddress())
            {
                logger().warn(
                    "metrics are served to anybody who reaches this address: address={}", own.metrics.value());
            }
            stop.await();
            stop(server);
            if (server.failure() != null)
            {
                throw new CommandException(
                    ExitCode.FAILED, "server stopped by itself, see its log: cause=" + server.failure());
            }
        }
        catch (final IllegalArgumentException e)
        {
            throw new CommandException(ExitCode.USAGE, e.getMessage(), e);
        }
        catch (final ServerException e)
        {
            throw new CommandException(ExitCode.FAILED, e.getMessage(), e);
        }
        catch (final VerbsException e)
        {
            throw failed(options, e);
        }
        return ExitCode.DONE;
    }

    private static CommandException failed(final ServerOptions options, final VerbsException e)
    {
        if (Failures.isWrongDeviceName(e))
        {
            return new CommandException(ExitCode.USAGE, Failures.wrongDevice("--device or KVCTL_DEVICE", e), e);
        }
        final boolean isForHugePages = options.hugePages() == HugePages.ON && e.getMessage().contains("huge pages");
        return new CommandException(ExitCode.FAILED, (isForHugePages ? "--huge-pages on: " : "") + e.getMessage(), e);
    }

    /** The machine has less memory by what is prepared of it, whatever device does that. */
    private StoreServer start(final ServerOptions options)
    {
        final MachineMemory machine = MachineMemory.here();
        final long before = machine.available();
        final DoubleSupplier share =
            before < 0 ? null : () -> (double)(before - machine.available()) / options.memory();
        return WaitNotice.during(
            surroundings(), "preparing " + Amounts.size(options.memory()), share, () -> StoreServer.start(options));
    }

    private void stop(final StoreServer server)
    {
        WaitNotice.during(surroundings(), "stopping", () ->
        {
            server.close();
            return null;
        });
    }

    /** Not made before the level of the log is set. */
    private static Logger logger()
    {
        return LoggerFactory.getLogger(ServerCommand.class);
    }

    private void announce(final String line)
    {
        try
        {
            surroundings().out().write((line + "\n").getBytes(UTF_8));
        }
        catch (final IOException e)
        {
            // Clients can connect all the same.
            logger().warn("cannot write to standard output: {}: {}", FileMessages.reason(e), line);
        }
    }
}
