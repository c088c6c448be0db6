package org.onesided.tools.kvctl.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.onesided.machine.MachineMemory;
import org.onesided.server.BlankServer;
import org.onesided.server.ServerConfiguration;
import org.onesided.server.ServerException;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;
import org.onesided.tools.kvctl.command.ClientOptions;
import org.onesided.tools.kvctl.command.Failures;
import org.onesided.tools.kvctl.command.GivenSettings;
import org.onesided.tools.kvctl.command.KvctlCommand;
import org.onesided.tools.kvctl.command.SettingOptions;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.FileMessages;
import org.onesided.tools.kvctl.console.StopHook;
import org.onesided.tools.kvctl.console.WaitNotice;
import org.onesided.tools.log.JsonLogProvider;
import org.onesided.tools.settings.ClientSettings;
import org.onesided.tools.settings.RdmaSetting;
import org.onesided.tools.text.Amounts;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/**
 * {@code kvctl server}.
 */
@Command(
    name = ServerCommand.NAME,
    description = "Run a server, with the store in memory and, with --data, on disk, until Ctrl-C or SIGTERM.",
    footer = {
        "",
        "Prints one line on standard output when clients can connect, and one before that if it waits to be formed " +
            "(kvctl cluster); the log goes to standard error. Without a " +
            "token or an authority of client certificates, the server listens on this machine only.",
        "",
        "A variable stands in for each option, and a line of the file of --config for each variable: for " +
            "--room-wait, KVCTL_SERVER_ROOM_WAIT and room-wait=2s.",
        "",
        "Examples:",
        "  kvctl server --memory 1g",
        "  kvctl server --config server.properties --metrics 9875",
    })
public final class ServerCommand extends KvctlCommand
{
    /** Name of the command. */
    public static final String NAME = "server";

    @Option(
        names = "--discard-tail",
        description = "Start from a log in --data that cannot be read to its end, without the rest of it. Writes " +
            "that were acknowledged may be lost; clients are told so. For this start only.")
    private boolean isTailDiscarded;

    private final SettingOptions own = declare();

    @Mixin
    private final CommandSpec ownOptions = own.spec();

    static SettingOptions declare()
    {
        return new SettingOptions()
            .add(ServerSettingList.own())
            .add(List.of(ServerSettingList.DEVICE, ClientOptions.TOKEN_FILE))
            .addGroup(ClientOptions.RDMA_HEADING, RdmaSetting.settings());
    }

    @Override
    protected ExitCode run() throws InterruptedException
    {
        invocation().logFrom("info");
        final ServerSettings settings;
        final ServerOptions options;
        try
        {
            settings = settings();
            if (settings.value(ServerSettingList.LOG_FORMAT) == LogFormat.JSON)
            {
                JsonLogProvider.install(isVerbose() ? "debug" : "info");
            }
            options = options(settings);
        }
        finally
        {
            // A refused start needs this most: the misspelled variable may be the reason.
            warnOfUnknownVariables();
        }
        // Registered first, so that a signal closes everything that is opened below.
        try (StopHook stop = StopHook.ending())
        {
            final ExitCode exitCode;
            // Outlive the server, to report its start and its stop.
            try (ServerReports reports = ServerReports.open(
                settings.value(ServerSettingList.METRICS), ServerCredentials.ofMetrics(settings),
                surroundings().variable(ServiceNotice.VARIABLE)))
            {
                exitCode = awaitFormed(options, reports) ? serve(options, stop, reports) : ExitCode.DONE;
            }
            stop.exitCode(exitCode);
            return exitCode;
        }
    }

    private void warnOfUnknownVariables()
    {
        ServerSettings.unknown(surroundings().environment().keySet()).forEach((name) ->
            logger().warn("variable is not a setting, correct its name or remove it: variable={}", name));
    }

    ServerSettings settings()
    {
        return ServerSettings.load(new GivenSettings(own, invocation().connection(), surroundings()));
    }

    ServerOptions options(final ServerSettings settings)
    {
        if (invocation().connection().isAnyGiven(ClientSettings.tls()))
        {
            throw new CommandException(ExitCode.USAGE, "the TLS options before the command are a client's: give the " +
                "server its own after the command");
        }
        final ServerOptions options = new ServerOptions();
        ServerCredentials.apply(settings, surroundings(), options);
        ServerSettingList.apply(settings, options);
        final String device = settings.value(ServerSettingList.DEVICE);
        if (device != null)
        {
            options.device(device);
        }
        options.connection(settings.connection(ServerConfiguration.connection()));
        options.data(options.data().discardTail(isTailDiscarded));
        options.measuresTimes(settings.value(ServerSettingList.METRICS) != null);
        checkMemory(options.memory());
        return options;
    }

    private static void checkMemory(final long memory)
    {
        final long machine = MachineMemory.here().limit();
        if (memory > machine)
        {
            throw new CommandException(ExitCode.USAGE, "--memory is larger than this machine, give less: memory=" +
                Amounts.size(memory) + " machine=" + Amounts.size(machine));
        }
    }

    /** Serves until the process is told to stop. A member of a cluster may have to begin anew meanwhile. */
    private ExitCode serve(final ServerOptions options, final StopHook stop, final ServerReports reports)
        throws InterruptedException
    {
        ExitCode exitCode = null;
        while (exitCode == null)
        {
            exitCode = serveOnce(options, stop, reports);
            if (exitCode == null && !stop.tryAwaitAgain())
            {
                exitCode = ExitCode.DONE;
            }
        }
        return exitCode;
    }

    /** How it ended; null if it is to begin anew. */
    private ExitCode serveOnce(final ServerOptions options, final StopHook stop, final ServerReports reports)
        throws InterruptedException
    {
        options.onFailure(stop::tell);
        try (StoreServer server = start(options, reports))
        {
            final ListenAddress metrics = reports.metrics();
            final String line = ServerReady.line(
                new ListenAddress(options.listenHost(), server.address().getPort()),
                server.device(), options.memory(), server.hugePages(), server.shardCount(),
                server.eviction(), server.defaultTtlMs(), metrics);
            reports.ready(server, line);
            announce(line);
            if (reports.isExposed())
            {
                logger().warn(
                    "metrics are served without authentication on this address: address={}", metrics);
            }
            stop.await();
            stop(server);
            if (server.beginsAnew())
            {
                return null;
            }
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

    /** Waits, on a directory without a table, until the server is a member of a cluster; false if it is to stop. */
    private boolean awaitFormed(final ServerOptions options, final ServerReports reports) throws InterruptedException
    {
        if (!BlankServer.isBlank(options))
        {
            return true;
        }
        final CountDownLatch end = new CountDownLatch(1);
        final StopHook stop = StopHook.telling(end::countDown);
        try (BlankServer server = BlankServer.start(options, end::countDown))
        {
            reports.blank();
            announce(ServerReady.blankLine(
                new ListenAddress(options.listenHost(), server.address().getPort()), options.peers().listen()));
            end.await();
            if (server.failure() != null)
            {
                throw new CommandException(
                    ExitCode.FAILED, "server stopped by itself, see its log: cause=" + server.failure());
            }
            return server.isFormed();
        }
        catch (final IllegalArgumentException e)
        {
            throw new CommandException(ExitCode.USAGE, e.getMessage(), e);
        }
        catch (final ServerException e)
        {
            throw new CommandException(ExitCode.FAILED, e.getMessage(), e);
        }
        finally
        {
            stop.close();
        }
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

    private StoreServer start(final ServerOptions options, final ServerReports reports)
    {
        final MachineMemory machine = MachineMemory.here();
        final StartNotice notice = new StartNotice(options.memory(), machine::unused);
        options.data(options.data().onReadBack(notice));
        reports.starting(notice);
        return WaitNotice.during(surroundings(), notice::text, notice::share, () -> StoreServer.start(options));
    }

    private void stop(final StoreServer server)
    {
        WaitNotice.during(surroundings(), "stopping", () ->
        {
            server.close();
            return null;
        });
    }

    /** A logger must not be created before the log's level is set. */
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
            // Clients can connect nevertheless.
            logger().warn("cannot write to standard output: {}: {}", FileMessages.reason(e), line);
        }
    }
}
