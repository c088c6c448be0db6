package org.onesided.tools.kvctl.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.protocol.bootstrap.Token;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.FileMessages;
import org.onesided.tools.kvctl.console.Surroundings;
import org.onesided.tools.kvctl.console.Text;
import org.onesided.tools.kvctl.console.WaitNotice;
import org.onesided.tools.settings.ClientSettings;
import org.onesided.tools.settings.RdmaSetting;
import org.onesided.tools.settings.Setting;
import org.onesided.tools.settings.Variables;
import org.onesided.verbs.DeviceChoice;
import org.onesided.verbs.DeviceNames;
import org.onesided.verbs.Devices;
import org.onesided.verbs.VerbsException;

/**
 * The options of commands that connect to a server, and the connecting itself.
 */
public final class ClientOptions
{
    /** Heading of the options of queue pairs. */
    public static final String RDMA_HEADING = "RDMA options";

    /** The file with the secret, for which a variable with the secret itself can stand in. */
    public static final Setting<Path> TOKEN_FILE =
        ClientSettings.TOKEN_FILE.otherwise(Variables.TOKEN + " (the secret itself), else none");

    /** Logs, after a second, what a first connection waits for. */
    private static final String SILENCE_LOGGER = "org.onesided.client.bootstrap.SilenceHint";

    private ClientOptions()
    {
    }

    /**
     * Declares the options.
     *
     * @return new options, without values.
     */
    public static SettingOptions declare()
    {
        return new SettingOptions()
            .add(List.of(
                ClientSettings.SERVER, ClientSettings.DEVICE, TOKEN_FILE, ClientSettings.DEADLINE))
            .addGroup("TLS options", ClientSettings.tls())
            .addGroup(RDMA_HEADING, RdmaSetting.settings());
    }

    /**
     * Connects to the server.
     *
     * @param own         options after the command.
     * @param invocation  with the options before the command, and the variables.
     * @param maxSessions that the client lends at a time, at most.
     * @param looksUp     whether the command looks keys up; if not, the client keeps no copies of buckets.
     * @return the client; the caller closes it.
     */
    static StoreClient connect(
        final SettingOptions own, final Invocation invocation, final int maxSessions, final boolean looksUp)
    {
        final Surroundings surroundings = invocation.surroundings();
        invocation.logFrom("error");
        invocation.alsoLog(SILENCE_LOGGER, "warn");

        final GivenSettings settings = new GivenSettings(own, invocation.connection(), surroundings);
        try
        {
            final StoreClientBuilder builder = builder(settings, surroundings);
            builder.maxSessions(maxSessions);
            if (!looksUp)
            {
                builder.mirrorBytes(0);
            }
            builder.onServerLife((before, now) -> surroundings.err().println("kvctl: the server was restarted" +
                (before.tableId() == now.tableId() ? "" : ", its table is empty") + ": server=" + now.address()));
            final String server = settings.value(ClientSettings.SERVER);
            return WaitNotice.during(
                surroundings,
                "connecting to " + Text.oneLine(server == null ? StoreClientBuilder.DEFAULT_SERVER : server),
                builder::build);
        }
        catch (final StoreDeadlineException e)
        {
            // No request was sent yet, so the fate of every write is known.
            throw new CommandException(ExitCode.CANNOT_CONNECT, e.getMessage(), e);
        }
        catch (final StoreException e)
        {
            throw e.getCause() instanceof VerbsException cause && Failures.isWrongDeviceName(cause) ?
                new CommandException(ExitCode.USAGE, Failures.wrongDevice(deviceSource(settings), cause), e) : e;
        }
        catch (final IllegalArgumentException e)
        {
            final boolean isUnreadable = e.getCause() instanceof IOException;
            throw new CommandException(isUnreadable ? ExitCode.FAILED : ExitCode.USAGE, e.getMessage(), e);
        }
    }

    /** Configures a client. */
    private static StoreClientBuilder builder(final GivenSettings settings, final Surroundings surroundings)
    {
        final StoreClientBuilder builder = ClientSettings.builder(settings);
        final String device = settings.value(ClientSettings.DEVICE);
        if (device != null && !settings.isTyped(ClientSettings.DEVICE))
        {
            builder.device(withoutListening(device));
        }
        final Token token = token(settings.value(TOKEN_FILE), surroundings);
        return token == null ? builder : builder.token(token.bytes());
    }

    /**
     * Configures a client of a command that names servers by itself.
     *
     * @param own        options after the command.
     * @param invocation with the options before the command, and the variables.
     * @return the builder.
     */
    public static StoreClientBuilder builder(final SettingOptions own, final Invocation invocation)
    {
        try
        {
            return builder(
                new GivenSettings(own, invocation.connection(), invocation.surroundings()), invocation.surroundings());
        }
        catch (final IllegalArgumentException e)
        {
            throw new CommandException(ExitCode.USAGE, e.getMessage(), e);
        }
    }

    private static String deviceSource(final GivenSettings settings)
    {
        return settings.isTyped(ClientSettings.DEVICE) ?
            "option '" + ClientSettings.DEVICE.option() + "'" : ClientSettings.DEVICE.variable();
    }

    /** The variable may be meant for a server, too, and name an address to listen on: {@code tcp:0.0.0.0:7000}. */
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
            // The builder reports it with more detail.
            return names;
        }
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
            throw FileMessages.cannotRead("the token file " + file, e);
        }
        catch (final IllegalArgumentException e)
        {
            throw new CommandException(ExitCode.USAGE, e.getMessage(), e);
        }
    }
}
