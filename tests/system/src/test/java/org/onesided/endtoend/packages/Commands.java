package org.onesided.endtoend.packages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.onesided.testing.HangGuard;
import org.onesided.testing.ProjectFolder;

/**
 * Runs programs of this machine to their end.
 */
final class Commands
{
    private static final long LONGEST_RUN_S = HangGuard.seconds(500);

    private Commands()
    {
    }

    /** What a program printed on both its outputs, and how it ended. */
    record Result(int exitCode, String text)
    {
        String assertDone()
        {
            assertEquals(0, exitCode, text);
            return text;
        }
    }

    static boolean exist(final String... programs) throws IOException, InterruptedException
    {
        for (final String program : programs)
        {
            if (new ProcessBuilder("sh", "-c", "command -v " + program + " >/dev/null").start().waitFor() != 0)
            {
                return false;
            }
        }
        return true;
    }

    static Result run(final String... command) throws IOException, InterruptedException
    {
        return run(Map.of(), List.of(command));
    }

    static Result run(final Map<String, String> variables, final List<String> command)
        throws IOException, InterruptedException
    {
        final ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(variables);
        return result(builder);
    }

    static Result result(final ProcessBuilder builder) throws IOException, InterruptedException
    {
        // A file, since a pipe would be read to its end only when all its writers have ended.
        final Path output = Files.createTempFile("onesided-command-", ".txt");
        try
        {
            final Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
            process.getOutputStream().close();
            final boolean isOver = process.waitFor(LONGEST_RUN_S, TimeUnit.SECONDS);
            process.destroyForcibly();
            final String text = Files.readString(output, UTF_8);
            assertTrue(isOver, () -> builder.command() + " did not end: " + text);
            return new Result(process.exitValue(), text);
        }
        finally
        {
            Files.delete(output);
        }
    }

    /** Runs one of the commands that build a package; with another umask, name of a folder and time zone, if so. */
    static Path build(final String name, final String end, final boolean isElsewhere)
        throws IOException, InterruptedException
    {
        final Path script = ProjectFolder.ROOT.resolve("packaging").resolve(name);
        final Path temporary = Files.createTempDirectory("onesided-packages-");
        try
        {
            final Map<String, String> variables = isElsewhere ?
                Map.of("TMPDIR", temporary.toString(), "TZ", "Asia/Tokyo", "LC_ALL", "C.UTF-8") : Map.of();
            final String text = run(variables,
                List.of("sh", "-c", (isElsewhere ? "umask 077; " : "") + "exec " + script)).assertDone();
            final Path built = Path.of(text.replaceFirst("(?s).* built: \\w+=(\\S+" + end + ") .*", "$1"));
            assertTrue(Files.isRegularFile(built), text);
            return built;
        }
        finally
        {
            Files.delete(temporary);
        }
    }
}
