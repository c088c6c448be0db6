package org.onesided.endtoend.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.onesided.testing.HangGuard;

/**
 * A program that runs beside the test, watched by what it prints and by where it listens.
 */
final class Program implements AutoCloseable
{
    /** A guard against hanging, no measure. */
    private static final long LONGEST_RUN_S = HangGuard.seconds(240);
    private static final long LOOK_MS = 20;

    private final Process process;
    private final Thread outReader;
    private final Thread errReader;
    private final StringBuffer out = new StringBuffer();
    private final StringBuffer err = new StringBuffer();
    private volatile int typedAt;

    Program(final Process process)
    {
        this.process = process;
        outReader = new Thread(() -> copy(process.inputReader(UTF_8), out), "program-out");
        errReader = new Thread(() -> copy(process.errorReader(UTF_8), err), "program-err");
        outReader.start();
        errReader.start();
    }

    static Program start(final List<String> command) throws IOException
    {
        return new Program(new ProcessBuilder(command).start());
    }

    /** Waits until something has been printed, and gives its first group. */
    String awaitOut(final String regex) throws InterruptedException
    {
        return awaitOut(0, regex);
    }

    /** Waits until something has been printed since the last time that something was typed. */
    void awaitAnswer(final String regex) throws InterruptedException
    {
        awaitOut(typedAt, regex);
    }

    private String awaitOut(final int from, final String regex) throws InterruptedException
    {
        final Pattern pattern = Pattern.compile(regex);
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_RUN_S);
        while (true)
        {
            final boolean isOver = !process.isAlive() && !outReader.isAlive();
            final Matcher matcher = pattern.matcher(out);
            if (matcher.find(from))
            {
                return matcher.groupCount() > 0 ? matcher.group(1) : matcher.group();
            }
            if (isOver || System.nanoTime() > endNs)
            {
                return fail("never printed: " + regex + " but: " + this);
            }
            Thread.sleep(LOOK_MS);
        }
    }

    /** Waits until this host has a TCP listener on a port, without disturbing it. */
    static void awaitListener(final int port) throws IOException, InterruptedException
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_RUN_S);
        while (!isListening(port))
        {
            if (System.nanoTime() > endNs)
            {
                fail("nobody listens: port=" + port);
            }
            Thread.sleep(LOOK_MS);
        }
    }

    /** Whether this host has a TCP listener on a port. */
    static boolean isListening(final int port) throws IOException
    {
        final Pattern listener = Pattern.compile(
            String.format(Locale.ROOT, "^ *\\d+: [0-9A-F]+:%04X [0-9A-F]+:0000 0A .*", port));
        for (final Path table : List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6")))
        {
            if (Files.exists(table) &&
                Files.readAllLines(table).stream().anyMatch(line -> listener.matcher(line).matches()))
            {
                return true;
            }
        }
        return false;
    }

    void type(final String text) throws IOException
    {
        typedAt = out.length();
        process.outputWriter(UTF_8).write(text);
        process.outputWriter(UTF_8).flush();
    }

    void endInput() throws IOException
    {
        process.outputWriter(UTF_8).close();
    }

    void signal(final String name) throws IOException, InterruptedException
    {
        assertEquals(0, new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid()).start().waitFor());
    }

    /** Waits for its end and tells its exit code. */
    int await() throws InterruptedException
    {
        if (!process.waitFor(LONGEST_RUN_S, TimeUnit.SECONDS))
        {
            fail("still running: " + this);
        }
        outReader.join();
        errReader.join();
        return process.exitValue();
    }

    /** Calls somebody when it has ended. */
    void onExit(final Runnable action)
    {
        process.onExit().thenRun(action);
    }

    String out()
    {
        return out.toString();
    }

    String err()
    {
        return err.toString();
    }

    @Override
    public String toString()
    {
        return "out=[" + out + "] err=[" + err + "]";
    }

    @Override
    public void close()
    {
        process.destroyForcibly();
    }

    private static void copy(final BufferedReader reader, final StringBuffer text)
    {
        try (reader)
        {
            // Not by lines: a prompt has no end.
            final char[] some = new char[1024];
            for (int count = reader.read(some); count >= 0; count = reader.read(some))
            {
                text.append(some, 0, count);
            }
        }
        catch (final IOException e)
        {
            text.append(e);
        }
    }
}
