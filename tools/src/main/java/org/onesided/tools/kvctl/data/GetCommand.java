package org.onesided.tools.kvctl.data;

import java.io.IOException;
import org.onesided.client.types.ClientStatistics;
import org.onesided.tools.kvctl.command.ClientCommand;
import org.onesided.tools.kvctl.command.ConnectedClient;
import org.onesided.tools.kvctl.command.OutputOption;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.OutputForm;
import org.onesided.tools.kvctl.console.Text;
import org.onesided.tools.kvctl.console.WaitNotice;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * {@code kvctl get}.
 */
@Command(
    name = "get",
    description = "Print a value on standard output: exactly its bytes, without a line end.",
    footer = {
        "",
        "--verbose prints the number of READs on standard error. JSON has key64 and value64, in base64, for bytes " +
            "that are not UTF-8.",
        "",
        "Examples:",
        "  kvctl get greeting",
        "  kvctl get photo > photo.jpg",
    })
public final class GetCommand extends ClientCommand
{
    @Parameters(paramLabel = "KEY", description = "1 to 4096 bytes.")
    private String key;

    @Mixin
    private OutputOption output;

    @Override
    protected ExitCode run() throws IOException
    {
        final byte[] keyBytes = key(key);
        final byte[] value;
        try (ConnectedClient connected = connect())
        {
            final ClientStatistics before = connected.client().clientStatistics();
            value = WaitNotice.during(surroundings(), "looking up", () -> connected.client().get(keyBytes));
            if (isVerbose())
            {
                tell(Text.reads(before, connected.client().clientStatistics()));
            }
        }
        if (value == null)
        {
            throw new CommandException(ExitCode.NOT_FOUND, "not found: " + Text.key(keyBytes));
        }
        switch (output.or(OutputForm.PLAIN))
        {
            case TABLE, JSON -> printPair(keyBytes, value);
            default -> output().write(value);
        }
        return ExitCode.DONE;
    }

    private void printPair(final byte[] key, final byte[] value) throws IOException
    {
        final PairPrinter printer = new PairPrinter(output.or(OutputForm.PLAIN), output());
        printer.print(key, value);
        printer.flush();
    }
}
