package org.onesided.tools.kvctl.data;

import java.io.IOException;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.MutableVersion;
import org.onesided.protocol.rpc.AppendLimits;
import org.onesided.tools.kvctl.command.ClientCommand;
import org.onesided.tools.kvctl.command.ConnectedClient;
import org.onesided.tools.kvctl.command.KeyEncodingOption;
import org.onesided.tools.kvctl.command.OutputOption;
import org.onesided.tools.kvctl.command.ValueEncodingOption;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Figures;
import org.onesided.tools.kvctl.console.OutputForm;
import org.onesided.tools.kvctl.console.WaitNotice;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * {@code kvctl append}.
 */
@Command(
    name = "append",
    description = "Add bytes to the end of a value and print its new length, in one step.",
    footer = {
        "",
        "An absent key gets the bytes as its value. If the value would be longer than 64 KiB, nothing changes, and " +
            "the exit code is 5. Without --ttl, the key keeps its time to live.",
        "",
        "Examples:",
        "  kvctl append log 'started; '",
        "  kvctl append log 'stopped; '",
    })
public final class AppendCommand extends ClientCommand
{
    @Parameters(paramLabel = "KEY", index = "0", description = "1 to 4096 bytes.")
    private String key;

    @Parameters(
        paramLabel = "VALUE|-",
        index = "1",
        description = "The bytes to add, or - to read them from standard input, at most 4 KiB.")
    private String value;

    @Mixin
    private KeyEncodingOption keys;

    @Mixin
    private ValueEncodingOption values;

    @Mixin
    private TtlOption ttl;

    @Mixin
    private OutputOption output;

    @Override
    protected ExitCode run() throws IOException
    {
        final byte[] keyBytes = keys.key(key);
        final byte[] valueBytes =
            values.value(value, surroundings(), AppendLimits.MAX_ADDED_LENGTH, "append it in parts");
        final int length;
        final MutableVersion version = new MutableVersion();
        try (ConnectedClient connected = connect())
        {
            length = WaitNotice.during(
                surroundings(), "appending",
                () -> connected.client().append(keyBytes, valueBytes, ttl.or(Expiry.KEEP), version));
        }
        final OutputForm form = output.or(OutputForm.PLAIN);
        print(form == OutputForm.PLAIN ? length + "\n" :
            new Figures().bytes("key", keyBytes, keys.encoding()).add("value_bytes", (long)length)
                .add("version", String.valueOf(version)).text(form));
        return ExitCode.DONE;
    }
}
