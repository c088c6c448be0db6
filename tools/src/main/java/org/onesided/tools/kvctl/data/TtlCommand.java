package org.onesided.tools.kvctl.data;

import java.io.IOException;
import org.onesided.client.types.TimeToLive;
import org.onesided.tools.kvctl.command.ClientCommand;
import org.onesided.tools.kvctl.command.ConnectedClient;
import org.onesided.tools.kvctl.command.KeyEncodingOption;
import org.onesided.tools.kvctl.command.OutputOption;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Figures;
import org.onesided.tools.kvctl.console.OutputForm;
import org.onesided.tools.kvctl.console.WaitNotice;
import org.onesided.tools.settings.LifeTime;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * {@code kvctl ttl}.
 */
@Command(
    name = "ttl",
    description = "Print how long a key still lives, or never if it stays.",
    footer = {
        "",
        "Plain output has the time's two greatest units, such as 9m59s, as kvctl touch takes them. JSON and a table " +
            "have milliseconds, and the time of expiry by the server's clock, in milliseconds since 1970 and as " +
            "text. If the key is absent, the exit code is 3.",
        "",
        "Examples:",
        "  kvctl ttl session-17",
        "  kvctl ttl -o json session-17",
    })
public final class TtlCommand extends ClientCommand
{
    @Parameters(paramLabel = "KEY", index = "0", description = "1 to 4096 bytes.")
    private String key;

    @Mixin
    private KeyEncodingOption keys;

    @Mixin
    private OutputOption output;

    @Override
    protected ExitCode run() throws IOException
    {
        final byte[] keyBytes = keys.key(key);
        final TimeToLive ttl;
        try (ConnectedClient connected = connect())
        {
            ttl = WaitNotice.during(surroundings(), "asking", () -> connected.client().ttl(keyBytes));
        }
        if (ttl == null)
        {
            throw new CommandException(ExitCode.NOT_FOUND, "not found: " + keys.text(keyBytes));
        }
        final OutputForm form = output.or(OutputForm.PLAIN);
        print(form == OutputForm.PLAIN ? (ttl.expires() ? LifeTime.text(ttl.left()) : "never") + "\n" :
            figures(keyBytes, ttl).text(form));
        return ExitCode.DONE;
    }

    private Figures figures(final byte[] key, final TimeToLive ttl)
    {
        final Figures figures = new Figures().bytes("key", key, keys.encoding()).add("has_ttl", ttl.expires());
        return !ttl.expires() ? figures : figures
            .add("ttl_ms", ttl.left().toMillis())
            .add("expires_at_ms", ttl.end().toEpochMilli())
            .add("expires_at", ttl.end().toString());
    }
}
