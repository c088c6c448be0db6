package org.onesided.tools.kvctl.data;

import java.io.IOException;
import org.onesided.tools.kvctl.command.ClientCommand;
import org.onesided.tools.kvctl.command.ConnectedClient;
import org.onesided.tools.kvctl.command.KeyEncodingOption;
import org.onesided.tools.kvctl.command.OutputOption;
import org.onesided.tools.kvctl.command.ValueEncodingOption;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.OutputForm;
import org.onesided.tools.kvctl.console.WaitNotice;
import org.onesided.tools.kvctl.pairs.PairEncodings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * {@code kvctl getdel}.
 */
@Command(
    name = "getdel",
    description = "Delete a key and print its value on standard output, in one step: exactly its bytes.",
    footer = {
        "",
        "Of several such commands for one key, one prints the value; the others find no key, and their exit code is " +
            "3. The value is gone even if it cannot be printed. If others change the key again and again until the " +
            "deadline, nothing is deleted, and the exit code is 5.",
        "",
        "Examples:",
        "  kvctl getdel job-17",
        "  kvctl getdel photo > photo.jpg",
    })
public final class GetdelCommand extends ClientCommand
{
    @Parameters(paramLabel = "KEY", description = "1 to 4096 bytes.")
    private String key;

    @Mixin
    private KeyEncodingOption keys;

    @Mixin
    private ValueEncodingOption values;

    @Mixin
    private OutputOption output;

    @Override
    protected ExitCode run() throws IOException
    {
        final byte[] keyBytes = keys.key(key);
        final byte[] value;
        try (ConnectedClient connected = connect())
        {
            value = WaitNotice.during(
                surroundings(), "looking up", () -> connected.client().getAndDelete(keyBytes));
        }
        if (value == null)
        {
            throw new CommandException(ExitCode.NOT_FOUND, "not found: " + keys.text(keyBytes));
        }
        ValuePrinter.print(output.or(OutputForm.PLAIN), output(),
            new PairEncodings(keys.encoding(), values.encoding()), keyBytes, value);
        return ExitCode.DONE;
    }
}
