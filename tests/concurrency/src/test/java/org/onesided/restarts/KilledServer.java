package org.onesided.restarts;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.onesided.testing.HangGuard;
import org.onesided.testing.KvctlCommand;

/**
 * A server that is killed and started again, in a process of its own, always with the same data and address. For one
 * thread at a time.
 */
public class KilledServer implements AutoCloseable
{
    private static final Pattern READY = Pattern.compile("ready: .* metrics=(\\S+).*");
    private static final Pattern RESUMED = Pattern.compile("(?m)^onesided_sessions_resumed_total (\\d+)");
    private static final long START_SECONDS = 180;
    private static final long END_SECONDS = 120;
    private static final long LOOK_MS = 20;
    private static final int METRICS_MS = 2000;
    private static final byte[] NO_TOKEN = {};
    /** Systems give ports from 32768 on to those who do not ask for one. */
    private static final int FIRST_PORT = 15_000;
    private static final int LAST_PORT = 32_000;
    private static final int PORT_TRIES = 100;

    private final List<String> options;
    private final Path log;
    private final String address;
    private volatile Process process;
    private Thread reader;
    private long startedNs;
    private volatile Ready ready;

    /** What the ready line tells. */
    private record Ready(String metrics, long atNs)
    {
    }

    /**
     * @param options of the server beyond its address.
     * @param log     where its log goes, that of all its processes.
     * @throws IOException if there is no port for it.
     */
    public KilledServer(final List<String> options, final Path log) throws IOException
    {
        address = "127.0.0.1:" + anyPort();
        this.options = options;
        this.log = log;
    }

    /** A free port that nobody gets by chance while the server is gone: neither a client nor another test. */
    static int anyPort() throws IOException
    {
        IOException failure = null;
        for (int i = 0; i < PORT_TRIES; i++)
        {
            final int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress()))
            {
                return socket.getLocalPort();
            }
            catch (final IOException e)
            {
                failure = e;
            }
        }
        throw failure;
    }

    /**
     * Starts it, without waiting.
     *
     * @throws IOException if that is not possible.
     */
    public final void start() throws IOException
    {
        ready = null;
        startedNs = System.nanoTime();
        process = launch(options, log);
        final Process started = process;
        reader = new Thread(() -> read(started), "server-output");
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts a process that runs the server, and writes to its output what the server does. */
    Process launch(final List<String> serverOptions, final Path to) throws IOException
    {
        final List<String> arguments =
            new ArrayList<>(List.of("server", "--listen", address, "--metrics", "127.0.0.1:0"));
        arguments.addAll(serverOptions);
        return new ProcessBuilder(KvctlCommand.of(arguments))
            .redirectError(ProcessBuilder.Redirect.appendTo(to.toFile()))
            .start();
    }

    /** Takes a line of that output other than the ready line. */
    void onLine(final String line)
    {
    }

    /** Ends a process at once, as little prepared as can be. */
    void end(final Process running) throws IOException, InterruptedException
    {
        running.destroyForcibly();
    }

    /** Sees that a process ends, and all that belongs to it. */
    void discard(final Process running) throws IOException
    {
        running.destroyForcibly();
    }

    private void read(final Process of)
    {
        try (BufferedReader output = of.inputReader(StandardCharsets.UTF_8))
        {
            for (String line = output.readLine(); line != null; line = output.readLine())
            {
                final Matcher matcher = READY.matcher(line);
                if (matcher.matches())
                {
                    ready = new Ready(metrics(matcher.group(1)), System.nanoTime());
                }
                else
                {
                    onLine(line);
                }
            }
        }
        catch (final IOException e)
        {
            // Its process is given up, which closes this.
            return;
        }
    }

    /**
     * Waits until it is ready.
     *
     * @return milliseconds that it took to get ready.
     * @throws IOException          if it ends instead, or takes too long.
     * @throws InterruptedException if the thread is interrupted.
     */
    public final long awaitReady() throws IOException, InterruptedException
    {
        final long endNs = startedNs + HangGuard.nanos(START_SECONDS * slowness());
        while (ready == null)
        {
            if (process.waitFor(LOOK_MS, TimeUnit.MILLISECONDS))
            {
                throw new IOException("server ended before it was ready: exitCode=" + process.exitValue());
            }
            if (System.nanoTime() - endNs > 0)
            {
                throw new IOException(
                    "server does not get ready: seconds=" + HangGuard.seconds(START_SECONDS * slowness()));
            }
        }
        return TimeUnit.NANOSECONDS.toMillis(ready.atNs() - startedNs);
    }

    /**
     * @return whether it is ready.
     */
    public final boolean isReady()
    {
        return ready != null;
    }

    /**
     * @return where clients find it.
     */
    public final String address()
    {
        return address;
    }

    /**
     * @return what it asks clients for; empty for nothing.
     */
    public byte[] token()
    {
        return NO_TOKEN.clone();
    }

    /**
     * @return how many times as long as on this machine it takes for what it does.
     */
    public int slowness()
    {
        return 1;
    }

    /** Where its metrics are to be had that are, for itself, at this address. */
    String metrics(final String there)
    {
        return there;
    }

    /**
     * @return sessions that the present process has resumed; 0 if it does not tell.
     */
    public final long resumed()
    {
        final Ready now = ready;
        if (now == null)
        {
            return 0;
        }
        try
        {
            final HttpURLConnection connection =
                (HttpURLConnection)URI.create("http://" + now.metrics() + "/metrics").toURL().openConnection();
            connection.setConnectTimeout(METRICS_MS);
            connection.setReadTimeout(METRICS_MS);
            try (var body = connection.getInputStream())
            {
                final Matcher matcher = RESUMED.matcher(new String(body.readAllBytes(), StandardCharsets.UTF_8));
                return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
            }
        }
        catch (final IOException e)
        {
            // A number less in a report.
            return 0;
        }
    }

    /**
     * Kills it, by SIGKILL, and waits until it is gone.
     *
     * @throws IOException          if it has ended by itself, or does not end.
     * @throws InterruptedException if the thread is interrupted.
     */
    public final void kill() throws IOException, InterruptedException
    {
        if (!process.isAlive())
        {
            throw new IOException("server ended by itself: exitCode=" + process.exitValue());
        }
        end(process);
        awaitEnd();
    }

    /**
     * Asks it to stop, by SIGTERM.
     *
     * @return its exit code.
     * @throws IOException          if it does not end.
     * @throws InterruptedException if the thread is interrupted.
     */
    public int terminate() throws IOException, InterruptedException
    {
        process.destroy();
        awaitEnd();
        return process.exitValue();
    }

    private void awaitEnd() throws IOException, InterruptedException
    {
        if (!process.waitFor(HangGuard.seconds(END_SECONDS), TimeUnit.SECONDS))
        {
            throw new IOException("server does not end: pid=" + process.pid());
        }
        reader.join(TimeUnit.SECONDS.toMillis(END_SECONDS));
    }

    @Override
    public void close() throws IOException
    {
        if (process != null)
        {
            discard(process);
        }
    }
}
