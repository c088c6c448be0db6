package org.onesided.tools.kvctl.server;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.onesided.fuzz.FuzzTarget;
import org.onesided.fuzz.Refusal;
import org.onesided.fuzz.ScratchFile;
import org.onesided.tools.kvctl.KvctlSyntax;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.Surroundings;
import org.onesided.tools.kvctl.console.Text;
import picocli.CommandLine.ParseResult;

/**
 * The file of {@code kvctl server --config}: read, and all it sets taken over.
 */
public final class SettingsTarget implements FuzzTarget
{
    private final Surroundings surroundings = new Surroundings(InputStream.nullInputStream(),
        OutputStream.nullOutputStream(), new PrintStream(OutputStream.nullOutputStream()), Map.of(), false, false,
        false);
    private final ScratchFile file = new ScratchFile();
    private final ParseResult server = server(surroundings);

    /**
     * For {@code ServiceLoader}.
     */
    public SettingsTarget()
    {
    }

    @Override
    public String name()
    {
        return "settings";
    }

    @Override
    public List<String> words()
    {
        final List<String> words = new ArrayList<>(List.of("=", ":", "\n", "\\\n", "#", "!", "\\u0000", "\\u",
            "\\uD800", "\0", "\r", "1.5g", "0.1b", "99999999999999999999", "5s", "-1", "127.0.0.1:0", "[::1]:7",
            "tcp:lo:0", "shm", "auto", "true"));
        words.addAll(ServerSettings.of(server.commandSpec()).keySet());
        return words;
    }

    @Override
    public long maxAllocated(final int inputLength)
    {
        return (4L << 20) + 1_000L * inputLength;
    }

    @Override
    public void feed(final byte[] input) throws Exception
    {
        file.write(input);
        try
        {
            final ServerSettings settings =
                ServerSettings.load(server.commandSpec(), file.path(), surroundings);
            settings.fill(server);
            settings.tokenFile();
        }
        catch (final CommandException e)
        {
            Refusal.check(Text.oneLine(e.getMessage()), e);
        }
    }

    private static ParseResult server(final Surroundings surroundings)
    {
        return KvctlSyntax.commandLine(surroundings).parseArgs("server").subcommand();
    }

    @Override
    public void close()
    {
        file.close();
    }
}
