package org.onesided.tools.kvctl.command;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.StoreDeadlineException;
import org.onesided.client.StoreException;
import org.onesided.protocol.bootstrap.Token;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.FileMessages;
import org.onesided.tools.kvctl.console.Surroundings;
import org.onesided.tools.kvctl.console.Text;
import org.onesided.tools.kvctl.console.WaitNotice;
import org.onesided.verbs.DeviceChoice;
import org.onesided.verbs.DeviceNames;
import org.onesided.verbs.Devices;
import org.onesided.verbs.VerbsException;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/**
 * Where the server is and how to talk to it. Given before the command or after it; after it counts more, and both count
 * more than the environment: the root command sees to that.
 */
public final class ClientOptions
{
    /** Tells, after a second, what a first connection waits for. */
    private static final String SILENCE_LOGGER = "org.onesided.client.SilenceHint";
    private static final String DEVICE = "--device";

    @Option(
        names = "--server",
        paramLabel = "HOST:PORT",
        description = "The server; else KVCTL_SERVER, else " + StoreClientBuilder.DEFAULT_SERVER + ".")
    private String server;

    @Option(
        names = DEVICE,
        paramLabel = "NAME",
        completionCandidates = ClientOptions.DeviceKinds.class,
        description = "What carries the verbs: ibv, ibv:NAME (kvctl rdma devices lists them), shm, tcp, several with " +
            "commas between them to be tried in that order, or auto for the best that both sides have; else " +
            "KVCTL_DEVICE, else " + StoreClientBuilder.DEFAULT_DEVICE + ".")
    private String device;

    @Option(
        names = "--token-file",
        paramLabel = "FILE",
        description = "File with the secret that the server asks for; else KVCTL_TOKEN_FILE, else KVCTL_TOKEN is the " +
            "secret itself.")
    private Path tokenFile;

    @ArgGroup(validate = false, heading = TlsClientOptions.HEADING)
    private TlsClientOptions tls = new TlsClientOptions();

    @ArgGroup(validate = false, heading = RdmaOptions.HEADING)
    private RdmaOptions rdma = new RdmaOptions();

    @Option(
        names = "--deadline",
        paramLabel = "TIME",
        converter = TimeSpan.class,
        description = "How long one operation may take, such as 500ms; else KVCTL_DEADLINE, else 5s.")
    private Duration deadline;

    /**
     * Connects to the server.
     *
     * @param invocation whose RDMA options stand in for those not given here.
     * @return the client; the caller closes it.
     */
    StoreClient connect(final Invocation invocation)
    {
        final Surroundings surroundings = invocation.surroundings();
        invocation.logFrom("error");
        invocation.alsoLog(SILENCE_LOGGER, "warn");

        final StoreClientBuilder builder = StoreClient.builder();
        try
        {
            if (server != null)
            {
                builder.server(server);
            }
            if (device != null)
            {
                builder.device(isVariable(invocation) ? withoutListening(device) : device);
            }
            builder.connection(
                rdma.over(invocation.connection().rdma, surroundings, StoreClientBuilder.DEFAULT_CONNECTION));
            if (deadline != null)
            {
                builder.deadline(deadline);
            }
            final Token token = token(tokenFile, surroundings);
            if (token != null)
            {
                builder.token(token.bytes());
            }
            builder.tls(tls.over(invocation.connection().tls, surroundings));
            builder.onServerLife((before, now) -> surroundings.err().println("kvctl: the server was started anew" +
                (before.tableId() == now.tableId() ? "" : ", its table is empty") + ": server=" + now.address()));
            return build(builder, surroundings);
        }
        catch (final StoreDeadlineException e)
        {
            // Nothing was asked for yet, so no write's fate is unknown.
            throw new CommandException(ExitCode.CANNOT_CONNECT, e.getMessage(), e);
        }
        catch (final StoreException e)
        {
            throw e.getCause() instanceof VerbsException cause && Failures.isWrongDeviceName(cause) ?
                new CommandException(ExitCode.USAGE, wrongDevice(invocation, cause), e) : e;
        }
        catch (final IllegalArgumentException e)
        {
            final boolean isUnreadable = e.getCause() instanceof IOException;
            throw new CommandException(isUnreadable ? ExitCode.FAILED : ExitCode.USAGE, e.getMessage(), e);
        }
    }

    /** Says whether it is the option or the variable that has the wrong name. */
    private String wrongDevice(final Invocation invocation, final VerbsException e)
    {
        return Failures.wrongDevice(isVariable(invocation) ? Variables.of(DEVICE) : "option '" + DEVICE + "'", e);
    }

    private boolean isVariable(final Invocation invocation)
    {
        return invocation.connection().device == null && device != null &&
            device.equals(invocation.surroundings().variable(Variables.of(DEVICE)));
    }

    /** A variable may be the server's too, and say where that is to listen: {@code tcp:0.0.0.0:7000}. */
    private static String withoutListening(final String names)
    {
        try
        {
            return DeviceNames.join(DeviceNames.parse(names).stream()
                .map((name) -> DeviceChoice.AUTO.equals(name) || Devices.listenAddress(name) == null ? name :
                    name.substring(0, name.indexOf(':')))
                .toList());
        }
        catch (final VerbsException e)
        {
            // Which the builder says best.
            return names;
        }
    }

    private StoreClient build(final StoreClientBuilder builder, final Surroundings surroundings)
    {
        final String what =
            "connecting to " + Text.oneLine(server == null ? StoreClientBuilder.DEFAULT_SERVER : server);
        return WaitNotice.during(surroundings, what, builder::build);
    }

    /** Whether any of these options was given. */
    boolean isGiven()
    {
        return server != null || device != null || tokenFile != null || deadline != null ||
            tls.isGiven() || !rdma.arguments().isEmpty();
    }

    /**
     * Name of the device, or null.
     *
     * @param surroundings whose variables stand in for the option.
     * @return the name, or null.
     */
    public String device(final Surroundings surroundings)
    {
        return device != null ? device : surroundings.variable(Variables.of(DEVICE));
    }

    /**
     * How queue pairs are connected.
     *
     * @return those given here.
     */
    public RdmaOptions rdma()
    {
        return rdma;
    }

    /**
     * Whether and how to connect within TLS.
     *
     * @return those given here.
     */
    public TlsClientOptions tls()
    {
        return tls;
    }

    /**
     * File with the secret, or null.
     *
     * @return the file, or null.
     */
    public Path tokenFile()
    {
        return tokenFile;
    }

    /**
     * Reads the secret.
     *
     * @param file         that holds the secret, with or without a line end behind it; null for none.
     * @param surroundings whose variable is the secret if there is no file.
     * @return the secret, or null.
     */
    public static Token token(final Path file, final Surroundings surroundings)
    {
        try
        {
            if (file != null)
            {
                return Token.load(file);
            }
            final String text = surroundings.variable(Variables.TOKEN);
            return text == null ? null : Token.of(text);
        }
        catch (final IOException e)
        {
            throw new CommandException(
                ExitCode.FAILED, "cannot read the token file " + file + ": " + FileMessages.reason(e), e);
        }
        catch (final IllegalArgumentException e)
        {
            throw new CommandException(ExitCode.USAGE, e.getMessage(), e);
        }
    }

    /** Of {@code --device}: kinds, since their devices are not known where completion runs. */
    static final class DeviceKinds extends Candidates
    {
        private static final long serialVersionUID = 1L;

        DeviceKinds()
        {
            super("auto", "shm", "ibv", "ibv:", "tcp");
        }
    }
}
