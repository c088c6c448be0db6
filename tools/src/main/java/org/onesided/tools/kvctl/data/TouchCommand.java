package org.onesided.tools.kvctl.data;

import java.io.IOException;
import java.time.Duration;
import org.onesided.tools.kvctl.command.ClientCommand;
import org.onesided.tools.kvctl.command.ConnectedClient;
import org.onesided.tools.kvctl.command.DoneOption;
import org.onesided.tools.kvctl.command.KeyEncodingOption;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Figures;
import org.onesided.tools.kvctl.console.WaitNotice;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * {@code kvctl touch}.
 */
@Command(
    name = "touch",
    description = "Give a key another time to live; its value and its version stay.",
    footer = {
        "",
        "If the key is absent, the exit code is 3. kvctl persist takes the time away, as kvctl put without --ttl " +
            "does at a server without --default-ttl. Redis calls this command EXPIRE or PEXPIRE.",
        "",
        "Examples:",
        "  kvctl touch session-17 30m",
        "  kvctl touch session-17 1h30m",
    })
public final class TouchCommand extends ClientCommand
{
    @Parameters(paramLabel = "KEY", index = "0", description = "1 to 4096 bytes.")
    private String key;

    @Parameters(
        paramLabel = "TIME",
        index = "1",
        converter = TouchTime.class,
        description = "From now on: 1ms to 36525d, such as 500ms, 10m, 1h30m or 30d.")
    private Duration ttl;

    @Mixin
    private KeyEncodingOption keys;

    @Mixin
    private DoneOption output;

    @Override
    protected ExitCode run() throws IOException
    {
        final byte[] keyBytes = keys.key(key);
        final boolean isPresent;
        try (ConnectedClient connected = connect())
        {
            isPresent = WaitNotice.during(
                surroundings(), "touching", () -> connected.client().touch(keyBytes, ttl));
        }
        if (!isPresent)
        {
            throw new CommandException(ExitCode.NOT_FOUND, "not found: " + keys.text(keyBytes));
        }
        output.print(new Figures().bytes("key", keyBytes, keys.encoding()).add("ttl_ms", ttl.toMillis()), this);
        return ExitCode.DONE;
    }
}
