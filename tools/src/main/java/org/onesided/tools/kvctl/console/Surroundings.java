package org.onesided.tools.kvctl.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The streams and variables of a command.
 *
 * @param in            standard input.
 * @param out           standard output, for data; unbuffered, and reports failed writes.
 * @param err           standard error, for everything else.
 * @param environment   variables.
 * @param inIsTerminal  whether standard input is a terminal.
 * @param outIsTerminal whether standard output is a terminal.
 * @param errIsTerminal whether standard error is a terminal.
 */
public record Surroundings(
    InputStream in,
    OutputStream out,
    PrintStream err,
    Map<String, String> environment,
    boolean inIsTerminal,
    boolean outIsTerminal,
    boolean errIsTerminal)
{
    /**
     * The streams and variables of this process.
     *
     * @return those of this process.
     */
    public static Surroundings ofProcess()
    {
        return new Surroundings(
            // Unlike a bare file stream, this one can read a given number of bytes from a pipe.
            new BufferedInputStream(new FileInputStream(FileDescriptor.in)),
            new FileOutputStream(FileDescriptor.out),
            new PrintStream(new FileOutputStream(FileDescriptor.err), true, UTF_8),
            System.getenv(),
            isTerminal(0),
            isTerminal(1),
            isTerminal(2));
    }

    /**
     * The value of a variable, or null if it is unset or empty.
     *
     * @param name of the variable.
     * @return its value.
     */
    public String variable(final String name)
    {
        final String value = environment.get(name);
        return value == null || value.isEmpty() ? null : value;
    }

    /**
     * Whether standard output may be coloured (no-color.org).
     *
     * @return whether it is a terminal and the user did not disable colours.
     */
    public boolean outIsColoured()
    {
        return outIsTerminal && variable("NO_COLOR") == null;
    }

    private static boolean isTerminal(final int descriptor)
    {
        try
        {
            // System.console() would also test standard input and output, which are often redirected.
            final Path target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor));
            return !"dumb".equals(System.getenv("TERM")) &&
                (target.startsWith("/dev/pts") || target.toString().startsWith("/dev/tty") ||
                    target.endsWith("console"));
        }
        catch (final IOException | UnsupportedOperationException e)
        {
            return false;
        }
    }
}
