package org.onesided.tools.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreClientBuilder;
import picocli.CommandLine.Option;

/**
 * Where the server is and how to talk to it. Given before the command or after it; after it counts more, and both count
 * more than the environment.
 */
final class ConnectionOptions
{
    static final String SERVER_VARIABLE = "KVCTL_SERVER";
    static final String DEVICE_VARIABLE = "KVCTL_DEVICE";
    static final String TOKEN_VARIABLE = "KVCTL_TOKEN";

    private static final int MAX_TOKEN_LENGTH = 1024;
    private static final int LONGEST_LINE_END = 2;

    @Option(
        names = "--server",
        paramLabel = "HOST:PORT",
        description = "The server; else KVCTL_SERVER, else " + StoreClientBuilder.DEFAULT_SERVER + ".")
    private String server;

    @Option(
        names = "--device",
        paramLabel = "NAME",
        description = "What carries the verbs; else KVCTL_DEVICE, else " + StoreClientBuilder.DEFAULT_DEVICE + ".")
    private String device;

    @Option(
        names = "--token-file",
        paramLabel = "FILE",
        description = "File with the secret that the server asks for; else KVCTL_TOKEN is the secret.")
    private Path tokenFile;

    @Option(
        names = "--deadline",
        paramLabel = "TIME",
        converter = TimeSpan.class,
        description = "How long one operation may take, such as 500ms; default 5s.")
    private Duration deadline;

    /**
     * Connects to the server.
     *
     * @param kvctl whose options stand in for those not given here.
     * @return the client; the caller closes it.
     */
    StoreClient connect(final Kvctl kvctl)
    {
        final Surroundings surroundings = kvctl.surroundings();
        final ConnectionOptions outer = kvctl.connection();
        kvctl.logFrom("error");

        final StoreClientBuilder builder = StoreClient.builder();
        try
        {
            final String serverName = first(server, outer.server, surroundings.variable(SERVER_VARIABLE));
            if (serverName != null)
            {
                builder.server(serverName);
            }
            final String deviceName = first(device, outer.device, surroundings.variable(DEVICE_VARIABLE));
            if (deviceName != null)
            {
                builder.device(deviceName);
            }
            final Duration longest = first(deadline, outer.deadline, null);
            if (longest != null)
            {
                builder.deadline(longest);
            }
            final byte[] token = token(first(tokenFile, outer.tokenFile, null), surroundings);
            if (token != null)
            {
                builder.token(token);
            }
            // An import that outlives its server must not end as if all were there.
            builder.onServerLife((before, now) -> surroundings.err().println("kvctl: the server was started anew" +
                (before.tableId() == now.tableId() ? "" : ", its table began empty") + ": server=" + now.address()));
            return builder.build();
        }
        catch (final IllegalArgumentException e)
        {
            throw new CommandException(ExitCode.USAGE, e.getMessage(), e);
        }
    }

    /**
     * @param file         that holds the secret, with or without a line end behind it; null for none.
     * @param surroundings whose variable is the secret if there is no file.
     * @return the secret, or null.
     */
    static byte[] token(final Path file, final Surroundings surroundings)
    {
        if (file == null)
        {
            final String text = surroundings.variable(TOKEN_VARIABLE);
            return text == null ? null : text.getBytes(UTF_8);
        }
        final byte[] content;
        try (InputStream input = Files.newInputStream(file))
        {
            content = input.readNBytes(MAX_TOKEN_LENGTH + LONGEST_LINE_END + 1);
        }
        catch (final IOException e)
        {
            throw new CommandException(
                ExitCode.FAILED, "cannot read the token file " + file + ": " + FileMessages.reason(e), e);
        }
        final int length = lengthWithoutLineEnd(content);
        if (length == 0 || length > MAX_TOKEN_LENGTH)
        {
            throw new CommandException(ExitCode.USAGE, "the token file " + file + " must hold 1 to " +
                MAX_TOKEN_LENGTH + " bytes, it " + (length == 0 ? "is empty" : "is longer"));
        }
        return Arrays.copyOf(content, length);
    }

    private static int lengthWithoutLineEnd(final byte[] content)
    {
        int length = content.length;
        if (length > 0 && content[length - 1] == '\n')
        {
            length--;
            if (length > 0 && content[length - 1] == '\r')
            {
                length--;
            }
        }
        return length;
    }

    @SafeVarargs
    private static <T> T first(final T... values)
    {
        for (final T value : values)
        {
            if (value != null)
            {
                return value;
            }
        }
        return null;
    }
}
