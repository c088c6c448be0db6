package org.onesided.linearizability;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.types.Waiting;

/**
 * A client of a cluster, in a process of its own, with some threads. It answers each line of its input with one of its
 * output: to {@code clock} with its time, to {@code go N} with its failures, lookups by request and scans when each
 * thread has done N operations in all.
 */
public final class ClusterClientProcess
{
    private static final long FIRST_MS = 60_000;

    private ClusterClientProcess()
    {
    }

    /**
     * Runs until the end of its input.
     *
     * @param arguments members, device, number of the first thread, threads, seed, folder for histories, milliseconds
     *                  of a call's deadline.
     * @throws Exception if anything goes wrong.
     */
    public static void main(final String[] arguments) throws Exception
    {
        final int first = Integer.parseInt(arguments[2]);
        final int count = Integer.parseInt(arguments[3]);
        final long seed = Long.parseLong(arguments[4]);
        final PrintStream output = System.out;
        final List<Recorder> recorders = new ArrayList<>();
        final List<ClusterWorkload> workloads = new ArrayList<>();
        try (StoreClient client = connected(StoreClient.builder().server(arguments[0]).device(arguments[1])
            .maxSessions(count).mirrorBytes(16 << 20).waiting(Waiting.SLEEPING), Long.parseLong(arguments[6]));
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII)))
        {
            final List<byte[]> keys = ClusterWorkload.keys(seed);
            for (int i = first; i < first + count; i++)
            {
                final Recorder recorder = new Recorder(Path.of(arguments[5], Histories.PREFIX + i), i);
                recorders.add(recorder);
                workloads.add(new ClusterWorkload(client, keys, recorder, seed, i));
            }
            for (String line = input.readLine(); line != null; line = input.readLine())
            {
                output.println(line.equals("clock") ? "clock " + System.nanoTime() :
                    work(workloads, recorders, Long.parseLong(line.substring("go ".length()))));
            }
        }
        finally
        {
            for (final Recorder recorder : recorders)
            {
                recorder.close();
            }
        }
    }

    private static StoreClient connected(final StoreClientBuilder builder, final long deadlineMs)
    {
        // The first connections of a JVM take longer than an impatient client waits.
        try (StoreClient first = builder.deadline(Duration.ofMillis(FIRST_MS)).build())
        {
            first.statistics();
        }
        long tryMs = deadlineMs;
        while (true)
        {
            try
            {
                return builder.deadline(Duration.ofMillis(tryMs)).build();
            }
            catch (final StoreConnectException | StoreDeadlineException e)
            {
                if (tryMs > FIRST_MS)
                {
                    throw e;
                }
                tryMs += tryMs / 4;
            }
        }
    }

    private static String work(
        final List<ClusterWorkload> workloads, final List<Recorder> recorders, final long operations)
        throws IOException, InterruptedException
    {
        final List<Thread> threads = new ArrayList<>();
        final String[] crash = new String[1];
        for (final ClusterWorkload workload : workloads)
        {
            final Thread thread = new Thread(() -> workload.run(operations), "workload-" + threads.size());
            thread.setUncaughtExceptionHandler((which, e) ->
            {
                e.printStackTrace();
                crash[0] = "CRASH " + e;
            });
            thread.start();
            threads.add(thread);
        }
        for (final Thread thread : threads)
        {
            thread.join();
        }
        recorders.forEach(Recorder::flush);
        return "done " + workloads.stream().mapToLong(ClusterWorkload::failures).sum() + ' ' +
            workloads.stream().mapToLong(ClusterWorkload::requests).sum() + ' ' +
            workloads.stream().mapToLong(ClusterWorkload::scans).sum() + ' ' +
            (crash[0] != null ? crash[0] : workloads.stream().map(ClusterWorkload::lastFailure)
                .filter((failure) -> failure != null).map((failure) -> failure.getMessage()).findFirst().orElse(""));
    }
}
