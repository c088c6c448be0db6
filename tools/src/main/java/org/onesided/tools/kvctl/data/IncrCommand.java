package org.onesided.tools.kvctl.data;

import java.io.IOException;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.MutableVersion;
import org.onesided.tools.kvctl.command.ClientCommand;
import org.onesided.tools.kvctl.command.ConnectedClient;
import org.onesided.tools.kvctl.command.KeyEncodingOption;
import org.onesided.tools.kvctl.command.OutputOption;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Figures;
import org.onesided.tools.kvctl.console.OutputForm;
import org.onesided.tools.kvctl.console.WaitNotice;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code kvctl incr}.
 */
@Command(
    name = "incr",
    description = "Add to a number and print the new one, in one step.",
    footer = {
        "",
        "The number is decimal text of 64 bits, so kvctl get shows it, and kvctl put sets it. If the value is no " +
            "number, or the sum does not fit into 64 bits, nothing changes, and the exit code is 5. Without " +
            "--ttl, the key keeps its time to live.",
        "",
        "Examples:",
        "  kvctl incr visits",
        "  kvctl incr stock -3 --initial 100",
    })
public final class IncrCommand extends ClientCommand
{
    @Parameters(paramLabel = "KEY", index = "0", description = "1 to 4096 bytes.")
    private String key;

    @Parameters(
        paramLabel = "DELTA",
        index = "1",
        arity = "0..1",
        defaultValue = "1",
        description = "What to add, 1 by default; may be negative.")
    private long delta;

    @Option(
        names = "--initial",
        paramLabel = "N",
        defaultValue = "0",
        description = "Number to which it is added if the key is absent, 0 by default.")
    private long initial;

    @Mixin
    private KeyEncodingOption keys;

    @Mixin
    private TtlOption ttl;

    @Mixin
    private OutputOption output;

    @Override
    protected ExitCode run() throws IOException
    {
        final byte[] keyBytes = keys.key(key);
        final long number;
        final MutableVersion version = new MutableVersion();
        try (ConnectedClient connected = connect())
        {
            number = WaitNotice.during(
                surroundings(), "incrementing",
                () -> connected.client().increment(keyBytes, delta, initial, ttl.or(Expiry.KEEP), version));
        }
        final OutputForm form = output.or(OutputForm.PLAIN);
        print(form == OutputForm.PLAIN ? number + "\n" :
            new Figures().bytes("key", keyBytes, keys.encoding()).add("number", number)
                .add("version", String.valueOf(version)).text(form));
        return ExitCode.DONE;
    }
}
