package org.onesided.endtoend.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.onesided.testing.HangGuard;
import org.onesided.testing.LogFaults;
import org.onesided.testing.ServerProcess;

/**
 * A {@code kvctl server} as a process of its own, on a free port. Where it logs an error, or ends by itself, closing it
 * fails.
 */
final class KvctlServer implements AutoCloseable
{
    private static final long LONGEST_STOP_S = HangGuard.seconds(240);

    private final Process process;
    private final BufferedReader output;
    private final Thread logReader;
    private final StringBuffer log = new StringBuffer();
    private final String readyLine;
    private boolean isEnding;

    private KvctlServer(final KvctlCall call) throws IOException
    {
        process = call.start();
        logReader = new Thread(this::readLog, "kvctl-server-log");
        logReader.start();
        output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        readyLine = output.readLine();
        if (readyLine == null)
        {
            throw new IllegalStateException("the server did not start: " + log);
        }
    }

    /** Starts a server with 64 MiB and shared memory unless the options say otherwise. */
    static KvctlServer start(final String... options) throws IOException
    {
        final List<String> arguments = new ArrayList<>(List.of("server", "--listen", "127.0.0.1:0"));
        if (!List.of(options).contains("--memory"))
        {
            arguments.addAll(List.of("--memory", "64m"));
        }
        if (!List.of(options).contains("--device"))
        {
            arguments.addAll(List.of("--device", "shm"));
        }
        arguments.addAll(List.of(options));
        return new KvctlServer(KvctlCall.of(arguments.toArray(String[]::new)));
    }

    static KvctlServer start(final KvctlCall call) throws IOException
    {
        return new KvctlServer(call);
    }

    String readyLine()
    {
        return readyLine;
    }

    String address()
    {
        return readyLine.substring("ready: ".length(), readyLine.indexOf(' ', "ready: ".length()));
    }

    long pid()
    {
        return process.pid();
    }

    String log()
    {
        return log.toString();
    }

    /** STOP has stopped the server when this returns. */
    void signal(final String name) throws IOException, InterruptedException
    {
        isEnding |= !name.equals("STOP") && !name.equals("CONT");
        final Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid()).start();
        assertEquals(0, kill.waitFor());
        if (name.equals("STOP"))
        {
            ServerProcess.awaitFrozen(pid());
        }
    }

    /** Waits for the server's end and tells its exit code. */
    int await() throws IOException, InterruptedException
    {
        isEnding = true;
        assertTrue(process.waitFor(LONGEST_STOP_S, TimeUnit.SECONDS), "still running");
        logReader.join();
        assertEquals(null, output.readLine(), "more than one line on standard output");
        return process.exitValue();
    }

    @Override
    public void close() throws IOException
    {
        assertTrue(isEnding || process.isAlive(), () -> "the server ended by itself: " + log);
        if (process.isAlive())
        {
            // The process itself would close its streams, too.
            process.toHandle().destroy();
            try
            {
                assertEquals(0, await(), log());
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
            finally
            {
                process.destroyForcibly();
            }
        }
        final LogFaults faults = new LogFaults();
        log().lines().forEach(faults::add);
        assertNull(faults.first(), this::log);
    }

    private void readLog()
    {
        try (BufferedReader errors = process.errorReader(UTF_8))
        {
            for (String line = errors.readLine(); line != null; line = errors.readLine())
            {
                log.append(line).append('\n');
            }
        }
        catch (final IOException e)
        {
            log.append(e);
        }
    }
}
