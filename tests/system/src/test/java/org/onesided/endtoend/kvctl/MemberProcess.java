package org.onesided.endtoend.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.onesided.testing.HangGuard;

/**
 * A member of a cluster, or a server that is to become one, as a process; what it prints, and what it logs.
 */
final class MemberProcess implements AutoCloseable
{
    private static final long END_SECONDS = HangGuard.seconds(240);

    private final Process process;
    private final BufferedReader out;
    private final Queue<String> log = new ConcurrentLinkedQueue<>();
    private final Thread reader = new Thread(this::readLog, "member-log");

    private MemberProcess(final Process process)
    {
        this.process = process;
        out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        reader.setDaemon(true);
        reader.start();
    }

    static MemberProcess start(final String... arguments) throws IOException
    {
        return new MemberProcess(KvctlCall.of(arguments).start());
    }

    /** The next line of its standard output; null if it has ended. */
    String line() throws IOException
    {
        return out.readLine();
    }

    void awaitLogged(final String text) throws InterruptedException
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_SECONDS);
        while (log.stream().noneMatch((line) -> line.contains(text)))
        {
            assertTrue(System.nanoTime() - endNs < 0, () -> text + " is missing in:\n" + String.join("\n", log));
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private void readLog()
    {
        try (BufferedReader lines = process.errorReader(UTF_8))
        {
            lines.lines().forEach((line) ->
            {
                log.add(line);
                System.err.println(line);
            });
        }
        catch (final IOException | UncheckedIOException e)
        {
            System.err.println("log of a member ended: " + e.getMessage());
        }
    }

    /** Kills it. */
    @Override
    public void close() throws IOException
    {
        process.toHandle().destroyForcibly();
        try
        {
            assertTrue(process.waitFor(END_SECONDS, TimeUnit.SECONDS));
            reader.join(TimeUnit.SECONDS.toMillis(END_SECONDS));
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        out.close();
    }
}
