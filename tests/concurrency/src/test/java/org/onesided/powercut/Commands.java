package org.onesided.powercut;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.List;

/**
 * Programs of the virtual machine's system.
 */
final class Commands
{
    private Commands()
    {
    }

    /** Runs a program, which must succeed, and returns its output. */
    static String run(final String... command) throws IOException
    {
        final StringBuilder output = new StringBuilder();
        final int exitCode = exitCode(output, command);
        if (exitCode != 0)
        {
            throw new IOException(
                "command failed: exitCode=" + exitCode + " command=" + List.of(command) + " output=" + output);
        }
        return output.toString();
    }

    /** Runs a program, and returns its exit code. */
    static int exitCode(final StringBuilder output, final String... command) throws IOException
    {
        final ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        // Nobody makes the names of devices but dmsetup itself.
        builder.environment().put("DM_DISABLE_UDEV", "1");
        final Process process = builder.start();
        process.getOutputStream().close();
        output.append(new String(process.getInputStream().readAllBytes(), UTF_8));
        try
        {
            return process.waitFor();
        }
        catch (final InterruptedException e)
        {
            throw new IOException(e);
        }
    }
}
