package org.onesided.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.onesided.testing.HangGuard;

/**
 * A process that runs {@link PeerMain}, and the signals it is sent.
 */
final class PeerProcess implements AutoCloseable
{
    /** What this process' own options begin with that the other one needs too. */
    private static final List<String> PASSED_ON = List.of("--", "-Donesided.", "-XX:SharedArchiveFile=", "-Xlog:");
    private static final long DEADLINE_SECONDS = HangGuard.seconds(30);

    private final Process process;
    private final BufferedReader output;
    private final PrintStream input;

    PeerProcess(final List<String> prefix, final String classPath, final String device, final String role)
        throws IOException
    {
        final List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter((a) -> PASSED_ON.stream().anyMatch(a::startsWith)).forEach(command::add);
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx64m", "-cp", classPath));
        command.addAll(List.of(PeerMain.class.getName(), device, role));
        process = new ProcessBuilder(command).directory(new File("/")).redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
        output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        input = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    static PeerProcess serve(final String device) throws IOException
    {
        return new PeerProcess(List.of(), System.getProperty("java.class.path"), device, "serve");
    }

    long pid()
    {
        return process.pid();
    }

    /**
     * @return the process' next line, or null at its end.
     */
    String line() throws Exception
    {
        return future().get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    }

    CompletableFuture<String> future()
    {
        return CompletableFuture.supplyAsync(() ->
        {
            try
            {
                return output.readLine();
            }
            catch (final IOException ex)
            {
                throw new IllegalStateException(ex);
            }
        });
    }

    EndpointText endpoint() throws Exception
    {
        final String line = line();
        assertNotNull(line, "the peer ended");
        assertTrue(!line.startsWith("refused"), line);
        return EndpointText.parse(line);
    }

    void tell(final EndpointText own)
    {
        input.println(own);
    }

    void expectReady() throws Exception
    {
        assertEquals("ready", line());
    }

    void kill()
    {
        process.destroyForcibly();
    }

    void awaitEnd() throws InterruptedException
    {
        assertTrue(process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS), "still running: pid=" + pid());
    }

    void stop() throws Exception
    {
        signal("STOP");
        // The signal is sent when kill returns, but each thread stops in its own time.
        final long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        while (!isStopped())
        {
            assertTrue(System.nanoTime() - end < 0, "still running: pid=" + pid());
            Thread.sleep(1);
        }
    }

    private boolean isStopped() throws IOException
    {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(
            Path.of("/proc", Long.toString(pid()), "task")))
        {
            for (final Path thread : threads)
            {
                final String stat = Files.readString(thread.resolve("stat"));
                // The name before the state may hold anything but ends with the last parenthesis.
                if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T')
                {
                    return false;
                }
            }
            return true;
        }
        catch (final IOException ex)
        {
            // A thread ended meanwhile, or the process did.
            return false;
        }
    }

    void resume() throws Exception
    {
        signal("CONT");
    }

    private void signal(final String name) throws Exception
    {
        final Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid()).inheritIO().start();
        assertEquals(0, kill.waitFor());
    }

    @Override
    public void close()
    {
        // Also ends a stopped process.
        process.destroyForcibly();
        try
        {
            process.waitFor();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        input.close();
    }
}
