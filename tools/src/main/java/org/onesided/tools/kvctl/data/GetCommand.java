package org.onesided.tools.kvctl.data;

import java.io.IOException;
import org.onesided.client.types.ClientStatistics;
import org.onesided.client.types.VersionedValue;
import org.onesided.tools.kvctl.command.ClientCommand;
import org.onesided.tools.kvctl.command.ConnectedClient;
import org.onesided.tools.kvctl.command.KeyEncodingOption;
import org.onesided.tools.kvctl.command.OutputOption;
import org.onesided.tools.kvctl.command.ValueEncodingOption;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Figures;
import org.onesided.tools.kvctl.console.OutputForm;
import org.onesided.tools.kvctl.console.Text;
import org.onesided.tools.kvctl.console.WaitNotice;
import org.onesided.tools.kvctl.pairs.PairEncodings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
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
            "that are not UTF-8. With --value-encoding, the value is text with a line end.",
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
    private KeyEncodingOption keys;

    @Mixin
    private ValueEncodingOption values;

    @Mixin
    private OutputOption output;

    @Option(
        names = "--show-version",
        description = "Also print the version of the value: on standard error, or within JSON or a table.")
    private boolean showVersion;

    @Override
    protected ExitCode run() throws IOException
    {
        final byte[] keyBytes = keys.key(key);
        final VersionedValue<byte[]> found;
        try (ConnectedClient connected = connect())
        {
            final ClientStatistics before = connected.client().clientStatistics();
            found = WaitNotice.during(
                surroundings(), "looking up", () -> connected.client().getVersioned(keyBytes));
            if (isVerbose())
            {
                tell(Text.reads(before, connected.client().clientStatistics()));
            }
        }
        if (found == null)
        {
            throw new CommandException(ExitCode.NOT_FOUND, "not found: " + keys.text(keyBytes));
        }
        final OutputForm form = output.or(OutputForm.PLAIN);
        final PairEncodings encodings = new PairEncodings(keys.encoding(), values.encoding());
        if (showVersion && form != OutputForm.PLAIN)
        {
            print(new Figures()
                .bytes("key", keyBytes, keys.encoding())
                .bytes("value", found.value(), values.encoding())
                .add("version", found.version().toString())
                .text(form));
            return ExitCode.DONE;
        }
        if (showVersion)
        {
            // Before the value, which has no line end.
            tell("version=" + found.version());
        }
        ValuePrinter.print(form, output(), encodings, keyBytes, found.value());
        return ExitCode.DONE;
    }
}
