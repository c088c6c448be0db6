package org.onesided.tools.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Map;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Surroundings;

/**
 * What a command wrote and returned when it ran in this process.
 */
public record CapturedRun(ExitCode exitCode, byte[] outBytes, String err)
{
    /**
     * Runs a command.
     *
     * @param arguments of kvctl.
     * @return what came of it.
     */
    public static CapturedRun of(final String... arguments)
    {
        return with(Map.of(), new byte[0], arguments);
    }

    /**
     * Runs a command with variables and standard input.
     *
     * @param environment variables.
     * @param input       standard input.
     * @param arguments   of kvctl.
     * @return what came of it.
     */
    public static CapturedRun with(final Map<String, String> environment, final byte[] input, final String... arguments)
    {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        final Surroundings surroundings = new Surroundings(
            new ByteArrayInputStream(input), out, new PrintStream(err, true, UTF_8), environment, false, false, false);
        final ExitCode exitCode = Kvctl.run(arguments, surroundings);
        return new CapturedRun(exitCode, out.toByteArray(), err.toString(UTF_8));
    }

    /**
     * Standard output as text.
     *
     * @return all of it.
     */
    public String out()
    {
        return new String(outBytes, UTF_8);
    }
}
