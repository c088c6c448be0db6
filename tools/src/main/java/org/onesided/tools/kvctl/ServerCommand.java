package org.onesided.tools.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.server.ServerConfiguration;
import org.onesided.server.ServerException;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.VerbsException;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/**
 * {@code kvctl server}.
 */
@Command(
    name = "server",
    description = "Serve a store, in memory, until told to stop (Ctrl-C or SIGTERM).",
    footer = {
        "",
        "Prints one line on standard output when clients can connect; the log goes to standard error. " +
            "Without a token it listens on this machine only.",
        "",
        "Examples:",
        "  kvctl server --memory 1g",
        "  kvctl server --listen 0.0.0.0:19875 --token-file secret.txt",
    })
final class ServerCommand implements Callable<Integer>
{
    /** 7 stands for ever. */
    private static final int MAX_RNR_RETRIES = 6;

    @ParentCommand
    private Kvctl kvctl;

    @Mixin
    private HelpOption help;

    @Option(
        names = "--listen",
        paramLabel = "HOST:PORT",
        converter = ListenAddress.Converter.class,
        description = "Where clients connect, port 0 for any free one; default 127.0.0.1:19875.")
    private ListenAddress listen;

    @Option(
        names = "--memory",
        paramLabel = "SIZE",
        converter = MemorySize.class,
        description = "Memory of the store, such as 512MiB or 2g; default 256MiB.")
    private Long memory;

    @Option(
        names = "--huge-pages",
        paramLabel = "auto|on|off",
        converter = HugePagesOption.class,
        description = "Whether the store is in huge pages: where the machine has some (auto, the default), " +
            "always (on), or never (off). kvctl rdma doctor tells how to get some.")
    private HugePages hugePages;

    @Option(
        names = "--record-size",
        paramLabel = "SIZE",
        converter = MemorySize.class,
        description = "Size of a usual key and value together, which divides the memory into index and records; " +
            "default 128.")
    private Long recordSize;

    @Option(
        names = "--shards",
        paramLabel = "N",
        description = "Parts of the store, each with a thread of its own for changes; default 1 per 4 processors.")
    private Integer shards;

    @Option(
        names = "--spin",
        paramLabel = "TIME",
        converter = SpinTime.class,
        description = "How long an idle shard looks for requests before it sleeps, such as 50us: never, for the " +
            "least processor time, to always, for the least latency; default 50us.")
    private Long spinNs;

    @Option(
        names = "--device",
        paramLabel = "NAME",
        description = "What carries the verbs: ibv, ibv:NAME (kvctl rdma devices lists them), shm, or auto for the " +
            "best there is; else KVCTL_DEVICE, else auto.")
    private String device;

    @ArgGroup(validate = false, heading = RdmaOptions.HEADING)
    private RdmaOptions rdma = new RdmaOptions();

    @Option(
        names = "--token-file",
        paramLabel = "FILE",
        description = "File with the secret that clients must show; else KVCTL_TOKEN is the secret.")
    private Path tokenFile;

    @Override
    public Integer call() throws InterruptedException
    {
        kvctl.logFrom("info");
        final ServerOptions options = options();
        // Before anything is made: whatever there is then is closed when the process is told to stop.
        try (StopSignal stop = StopSignal.install())
        {
            final ExitCode exitCode = serve(options, stop);
            stop.exitCode(exitCode);
            return exitCode.code();
        }
    }

    private ServerOptions options()
    {
        final ServerOptions options = new ServerOptions();
        final Path secret = tokenFile != null ? tokenFile : kvctl.connection().tokenFile();
        options.token(ClientOptions.token(secret, kvctl.surroundings()));
        if (listen != null)
        {
            options.listenHost(listen.host()).listenPort(listen.port());
        }
        if (memory != null)
        {
            options.memory(memory);
        }
        if (hugePages != null)
        {
            options.hugePages(hugePages);
        }
        if (recordSize != null)
        {
            options.recordLength(Math.toIntExact(Math.min(
                recordSize + RecordDescriptor.HEADER_LENGTH, Integer.MAX_VALUE)));
        }
        if (shards != null)
        {
            options.shards(shards);
        }
        if (spinNs != null)
        {
            options.spinNs(spinNs);
        }
        final String deviceName = device != null ? device : kvctl.connection().device(kvctl.surroundings());
        if (deviceName != null)
        {
            options.device(deviceName);
        }
        final ConnectionOptions path =
            rdma.over(kvctl.connection().rdma(), kvctl.surroundings(), ServerConfiguration.connection());
        if (path.rnrRetry() > MAX_RNR_RETRIES)
        {
            throw new CommandException(ExitCode.USAGE, "a server must not wait for ever for a client that has no " +
                "receive posted: " + RdmaOptions.RNR_RETRIES + " must be 0 to " + MAX_RNR_RETRIES + ": " +
                RdmaOptions.RNR_RETRIES + "=" + path.rnrRetry());
        }
        options.connection(path);
        checkMemory(options.memory());
        checkListen(options);
        return options;
    }

    private static void checkMemory(final long memory)
    {
        final long machine = new MachineMemory().bytes();
        if (memory > machine)
        {
            throw new CommandException(ExitCode.USAGE, "--memory is larger than this machine, give less: memory=" +
                Text.size(memory) + " machine=" + Text.size(machine));
        }
    }

    private static void checkListen(final ServerOptions options)
    {
        final InetSocketAddress address = new InetSocketAddress(options.listenHost(), options.listenPort());
        if (!address.isUnresolved() && !address.getAddress().isLoopbackAddress() && options.token() == null)
        {
            throw new CommandException(ExitCode.USAGE, "without a token a server listens on this machine only: " +
                "give one with --token-file or KVCTL_TOKEN, or listen on 127.0.0.1: listen=" +
                options.listenHost() + ":" + options.listenPort());
        }
    }

    private ExitCode serve(final ServerOptions options, final StopSignal stop) throws InterruptedException
    {
        options.onFailure(stop::tell);
        try (StoreServer server = StoreServer.start(options))
        {
            final InetSocketAddress address = server.address();
            final String host = options.listenHost();
            final String line = ServerReady.line(
                (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort(),
                server.device(), options.memory(), server.hugePages(), server.shardCount());
            announce(line);
            stop.await();
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
            final boolean isForHugePages =
                options.hugePages() == HugePages.ON && e.getMessage().contains("huge pages");
            throw new CommandException(
                Failures.isWrongDeviceName(e) ? ExitCode.USAGE : ExitCode.FAILED,
                (isForHugePages ? "--huge-pages on: " : "") + e.getMessage(), e);
        }
        return ExitCode.DONE;
    }

    private void announce(final String line)
    {
        try
        {
            kvctl.surroundings().out().write((line + "\n").getBytes(UTF_8));
        }
        catch (final IOException e)
        {
            // Clients can connect all the same.
            LoggerFactory.getLogger(ServerCommand.class)
                .warn("cannot write to standard output: {}: {}", FileMessages.reason(e), line);
        }
    }
}
