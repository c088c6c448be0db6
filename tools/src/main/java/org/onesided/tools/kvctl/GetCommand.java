package org.onesided.tools.kvctl;

import java.io.IOException;
import org.onesided.client.StoreClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code kvctl get}.
 */
@Command(
    name = "get",
    description = "Write a key's value to standard output: exactly its bytes, without a line end.",
    footer = {
        "",
        "With --verbose, standard error tells how many READs it took.",
        "",
        "Examples:",
        "  kvctl get greeting",
        "  kvctl get photo > photo.jpg",
    })
final class GetCommand extends ClientCommand
{
    @Parameters(paramLabel = "KEY", description = "1 to 4096 bytes.")
    private String key;

    @Override
    ExitCode run() throws IOException
    {
        final byte[] keyBytes = key(key);
        final byte[] value;
        try (StoreClient client = connect())
        {
            value = client.get(keyBytes);
            if (isVerbose())
            {
                surroundings().err().println("kvctl get: " + Text.reads(client.clientStatistics()));
            }
        }
        if (value == null)
        {
            throw new CommandException(ExitCode.NOT_FOUND, "not found: " + Text.key(keyBytes));
        }
        new StandardOutput(surroundings().out()).write(value);
        return ExitCode.DONE;
    }
}
