package org.onesided.benchmark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The C programs of the package perftest, a server and a client of each run.
 */
final class Perftest
{
    private static final int PORT = 18_615;
    private static final long TIMEOUT_SECONDS = 60;
    private static final String LISTENING = "0A";

    private final String device;
    private final int gidIndex;

    Perftest(final String device, final int gidIndex)
    {
        this.device = device;
        this.gidIndex = gidIndex;
    }

    /**
     * @return mean time of a READ in nanoseconds, with one under way at a time.
     */
    double readLatencyNs(final int length, final int count) throws IOException, InterruptedException
    {
        // bytes, iterations, min, max, typical, avg, stdev, 99%, 99.9%
        return run("ib_read_lat", length, count)[5] * 1000;
    }

    /**
     * @return READs per second, posted in lists.
     */
    double readsPerSecond(final int length, final int count, final int list) throws IOException, InterruptedException
    {
        // bytes, iterations, peak, average, million messages per second
        return run("ib_read_bw", length, count, "-l", Integer.toString(list))[4] * 1e6;
    }

    private double[] run(final String program, final int length, final int count, final String... more)
        throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>(List.of(
            program, "-d", device, "-x", Integer.toString(gidIndex), "-s", Integer.toString(length),
            "-n", Integer.toString(count), "-F", "-p", Integer.toString(PORT)));
        command.addAll(List.of(more));
        final Process server = new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
        try
        {
            awaitPort(server);
            command.add("127.0.0.1");
            final Process client = new ProcessBuilder(command).redirectErrorStream(true).start();
            final String output = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!client.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) || client.exitValue() != 0)
            {
                throw new IOException(program + " failed: " + output);
            }
            server.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            return numbers(program, output, length);
        }
        finally
        {
            server.destroyForcibly();
        }
    }

    /** Connecting is no way to find out: the server takes one connection only. */
    private static void awaitPort(final Process server) throws IOException, InterruptedException
    {
        final String place = String.format(":%04X", PORT);
        while (server.isAlive())
        {
            for (final String file : List.of("/proc/net/tcp", "/proc/net/tcp6"))
            {
                for (final String line : Files.readAllLines(Path.of(file)))
                {
                    final String[] fields = line.trim().split("\\s+");
                    if (fields[1].endsWith(place) && fields[3].equals(LISTENING))
                    {
                        return;
                    }
                }
            }
            Thread.sleep(20);
        }
        throw new IOException("server ended before it listened: exit=" + server.exitValue());
    }

    private static double[] numbers(final String program, final String output, final int length) throws IOException
    {
        for (final String line : output.split("\n"))
        {
            final String[] fields = line.trim().split("\\s+");
            if (fields.length >= 5 && fields[0].equals(Integer.toString(length)))
            {
                final double[] numbers = new double[fields.length];
                for (int i = 0; i < fields.length; i++)
                {
                    // A deviation may come out as "-nan".
                    numbers[i] = fields[i].endsWith("nan") ? Double.NaN : Double.parseDouble(fields[i]);
                }
                return numbers;
            }
        }
        throw new IOException(program + " printed no result: " + output);
    }
}
