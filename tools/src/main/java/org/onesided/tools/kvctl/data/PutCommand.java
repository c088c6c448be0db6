package org.onesided.tools.kvctl.data;

import java.io.IOException;
import org.onesided.client.types.Version;
import org.onesided.tools.kvctl.command.ClientCommand;
import org.onesided.tools.kvctl.command.ConnectedClient;
import org.onesided.tools.kvctl.command.DoneOption;
import org.onesided.tools.kvctl.command.KeyEncodingOption;
import org.onesided.tools.kvctl.command.ValueEncodingOption;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Figures;
import org.onesided.tools.kvctl.console.WaitNotice;
import org.onesided.tools.text.Amounts;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * {@code kvctl put}.
 */
@Command(
    name = "put",
    description = "Put a value under a key; replaces an existing value.",
    footer = {
        "",
        "If a condition does not hold, nothing changes, standard error names the version that the key has, and the " +
            "exit code is 5. -o also prints the version that the key got.",
        "",
        "Without --ttl, the key gets the server's --default-ttl, by default none: a put takes away the time that the " +
            "key had. With --if-present or --if-version, the key keeps its time. --ttl never lets it stay in any " +
            "case.",
        "",
        "Examples:",
        "  kvctl put greeting 'Good morning'",
        "  kvctl put photo - < photo.jpg",
    })
public final class PutCommand extends ClientCommand
{
    @Parameters(paramLabel = "KEY", index = "0", description = "1 to 4096 bytes.")
    private String key;

    @Parameters(
        paramLabel = "VALUE|-",
        index = "1",
        description = "The value, or - to read exactly the bytes of standard input, at most 64 MiB.")
    private String value;

    @Mixin
    private KeyEncodingOption keys;

    @Mixin
    private ValueEncodingOption values;

    @Mixin
    private PutConditionOptions condition;

    @Mixin
    private TtlOption ttl;

    @Mixin
    private DoneOption output;

    @Override
    protected ExitCode run() throws IOException
    {
        final byte[] keyBytes = keys.key(key);
        condition.check();
        final byte[] valueBytes;
        final Version version;
        try (ConnectedClient connected = connect())
        {
            valueBytes = values.value(
                value, surroundings(), connected.client().server().maxValueLength(), "split it over several keys");
            version = WaitNotice.during(surroundings(), "putting " + Amounts.size(valueBytes.length),
                () -> condition.put(connected.client(), keyBytes, keys, valueBytes, ttl));
        }
        final Figures done =
            new Figures().bytes("key", keyBytes, keys.encoding()).add("value_bytes", (long)valueBytes.length);
        // A put whose time was over has none.
        if (version != null)
        {
            done.add("version", version.toString());
        }
        ttl.addTo(done);
        output.print(done, this);
        return ExitCode.DONE;
    }
}
