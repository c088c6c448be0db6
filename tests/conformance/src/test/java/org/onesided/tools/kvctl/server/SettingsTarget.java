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
import org.onesided.tools.kvctl.command.GivenSettings;
import org.onesided.tools.kvctl.command.SettingOptions;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.Surroundings;
import org.onesided.tools.kvctl.console.Text;
import org.onesided.tools.settings.BrokenSettingException;

/**
 * The file of {@code kvctl server --config}: read, and all it sets taken over.
 */
public final class SettingsTarget implements FuzzTarget
{
    private final ScratchFile file = new ScratchFile();
    private final GivenSettings given = new GivenSettings(ServerCommand.declare(), new SettingOptions(),
        new Surroundings(InputStream.nullInputStream(), OutputStream.nullOutputStream(),
            new PrintStream(OutputStream.nullOutputStream()),
            Map.of(ServerSettingList.CONFIG.variable(), file.path().toString()), false, false, false));

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
        ServerSettingList.all().forEach((setting) -> words.add(setting.name()));
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
            final ServerSettings settings = ServerSettings.load(given);
            ServerSettingList.all().forEach(settings::value);
            settings.tokenFile();
        }
        catch (final CommandException | BrokenSettingException e)
        {
            Refusal.check(Text.oneLine(e.getMessage()), e);
        }
    }

    @Override
    public void close()
    {
        file.close();
    }
}
