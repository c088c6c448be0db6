package org.onesided.linearizability;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.onesided.testing.CuttingProxy;

/**
 * A thread that stops the server for moments and cuts clients' connections, at random times.
 */
final class Disturbance implements AutoCloseable
{
    private static final int STOP_US = 2000;
    /** Longer than a client sends again to a server that is not ready. */
    private static final int LONG_STOP_US = 20_000;
    /** So much longer than the impatient clients wait, on a busy machine, too. */
    private static final int IMPATIENCES_PER_OUTAGE = 6;

    private final RunSettings settings;
    private final CuttingProxy proxy;
    private final long serverPid;
    private final Process shell;
    private final Writer commands;
    private final Thread thread;
    private volatile boolean isEnding;
    private volatile boolean isSparing;
    private volatile long stops;
    private volatile long cuts;
    private volatile IOException failure;

    Disturbance(final RunSettings settings, final CuttingProxy proxy, final long serverPid) throws IOException
    {
        this.settings = settings;
        this.proxy = proxy;
        this.serverPid = serverPid;
        // A shell that is there already signals at once.
        shell = new ProcessBuilder("sh").redirectError(ProcessBuilder.Redirect.INHERIT).start();
        commands = shell.outputWriter(StandardCharsets.US_ASCII);
        thread = new Thread(this::run, "disturbance");
        thread.start();
    }

    private void run()
    {
        final Random random = new Random(settings.seed());
        long stopMs = settings.stopMs();
        long cutMs = settings.cutMs();
        try
        {
            while (!isEnding)
            {
                final long stepMs = Math.max(1, Math.min(stopMs, cutMs));
                TimeUnit.MILLISECONDS.sleep(stepMs);
                stopMs -= stepMs;
                cutMs -= stepMs;
                if (stopMs <= 0)
                {
                    stopMs = 1 + random.nextInt(2 * settings.stopMs());
                    signal("STOP");
                    TimeUnit.MICROSECONDS.sleep(stopUs(random));
                    signal("CONT");
                    stops++;
                }
                if (cutMs <= 0)
                {
                    cutMs = 1 + random.nextInt(2 * settings.cutMs());
                    if (!isSparing)
                    {
                        cuts += proxy.cut();
                    }
                }
            }
        }
        catch (final IOException e)
        {
            failure = e;
        }
        catch (final InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }

    private long stopUs(final Random random)
    {
        return stops % settings.stopsPerOutage() == settings.stopsPerOutage() / 2 ?
            TimeUnit.MILLISECONDS.toMicros(IMPATIENCES_PER_OUTAGE * settings.impatienceMs()) :
            random.nextInt(8) == 0 ? LONG_STOP_US : random.nextInt(STOP_US);
    }

    /** Whether connections are left alone. */
    void spare(final boolean shall)
    {
        isSparing = shall;
    }

    /** Stops of the server. */
    long stops()
    {
        return stops;
    }

    /** Connections that were cut. */
    long cuts()
    {
        return cuts;
    }

    private void signal(final String name) throws IOException
    {
        commands.write("kill -" + name + " " + serverPid + "\n");
        commands.flush();
    }

    @Override
    public void close() throws IOException
    {
        isEnding = true;
        try
        {
            thread.join();
            signal("CONT");
            commands.close();
            shell.waitFor();
        }
        catch (final InterruptedException e)
        {
            throw new IOException(e);
        }
        finally
        {
            shell.destroyForcibly();
        }
        if (failure != null)
        {
            throw failure;
        }
    }
}
