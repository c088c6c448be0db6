package org.onesided.tools.kvctl;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code kvctl delete}.
 */
@Command(
    name = "delete",
    description = "Remove keys and their values.",
    footer = {
        "",
        "Keys that are not there are named on standard error; the others are removed all the same. " +
            "The exit code is 3 then.",
        "",
        "Examples:",
        "  kvctl delete greeting",
        "  kvctl delete photo-1 photo-2 photo-3",
    })
final class DeleteCommand extends ClientCommand
{
    @Parameters(paramLabel = "KEY", arity = "1..*", description = "1 to 4096 bytes each.")
    private List<String> keys;

    @Override
    ExitCode run()
    {
        // All are looked at before the first is removed.
        final List<byte[]> checked = new ArrayList<>();
        for (final String key : keys)
        {
            checked.add(key(key));
        }

        ExitCode exitCode = ExitCode.DONE;
        try (ConnectedClient connected = connect())
        {
            for (final byte[] key : checked)
            {
                if (!connected.client().delete(key))
                {
                    tell("not found: " + Text.key(key));
                    exitCode = ExitCode.NOT_FOUND;
                }
            }
        }
        return exitCode;
    }
}
