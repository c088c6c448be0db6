package org.onesided.tools.kvctl.data;

import java.io.IOException;
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
 * {@code kvctl persist}.
 */
@Command(
    name = "persist",
    description = "Let a key stay for ever: take its time to live away.",
    footer = {
        "",
        "Its value and its version stay. If the key is absent, the exit code is 3. Redis' command is PERSIST, too.",
        "",
        "Examples:",
        "  kvctl persist session-17",
        "  kvctl persist -o json session-17",
    })
public final class PersistCommand extends ClientCommand
{
    @Parameters(paramLabel = "KEY", index = "0", description = "1 to 4096 bytes.")
    private String key;

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
                surroundings(), "persisting", () -> connected.client().persist(keyBytes));
        }
        if (!isPresent)
        {
            throw new CommandException(ExitCode.NOT_FOUND, "not found: " + keys.text(keyBytes));
        }
        output.print(new Figures().bytes("key", keyBytes, keys.encoding()), this);
        return ExitCode.DONE;
    }
}
