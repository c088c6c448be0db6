package org.onesided.linearizability;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;

/**
 * A client of a run, in a process of its own: as many sessions as it was told, which share a mirror. Connected, it
 * answers each line of its input with one of its output: to {@code clock} with its time, to {@code go} with what came
 * of its work.
 */
public final class ClientProcess
{
    private ClientProcess()
    {
    }

    /**
     * Runs until the end of its input.
     *
     * @param arguments server, device, bytes of the mirror, number of the first session, sessions, operations of each,
     *                  seed, file of keys, folder for histories, seconds of a call's deadline.
     * @throws Exception if anything goes wrong.
     */
    public static void main(final String[] arguments) throws Exception
    {
        final List<byte[]> keys = Keys.read(Path.of(arguments[7]));
        try (StoreClient client = StoreClient.builder()
            .server(arguments[0])
            .device(arguments[1])
            .mirrorBytes(Long.parseLong(arguments[2]))
            .deadline(Duration.ofSeconds(Long.parseLong(arguments[9])))
            .build())
        {
            final List<Worker> workers = workers(client, keys, arguments);
            final BufferedReader input =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
            for (String line = input.readLine(); line != null; line = input.readLine())
            {
                System.out.println(line.equals("clock") ? "clock " + System.nanoTime() : work(workers));
            }
        }
    }

    private static List<Worker> workers(
        final StoreClient client, final List<byte[]> keys, final String[] arguments) throws IOException
    {
        final int first = Integer.parseInt(arguments[3]);
        final int count = Integer.parseInt(arguments[4]);
        final long operations = Long.parseLong(arguments[5]);
        final long seed = Long.parseLong(arguments[6]);
        final Path folder = Path.of(arguments[8]);
        final List<Worker> workers = new ArrayList<>();
        for (int i = first; i < first + count; i++)
        {
            workers.add(new Worker(client.openSession(), keys, folder, seed, i, operations));
        }
        return workers;
    }

    private static String work(final List<Worker> workers) throws InterruptedException
    {
        workers.forEach(Thread::start);
        for (final Worker worker : workers)
        {
            worker.join();
        }
        return "done " + workers.stream().mapToLong(w -> w.workload.full()).sum() + ' ' +
            workers.stream().mapToLong(w -> w.workload.failures()).sum() + ' ' +
            workers.stream().mapToLong(w -> w.reconnects).sum() + ' ' +
            workers.stream().map(w -> w.failure).filter(f -> f != null).findFirst().orElse("");
    }

    private static final class Worker extends Thread
    {
        private final StoreSession session;
        private final Recorder recorder;
        private final Workload workload;
        private final long operations;
        private long reconnects;
        /** What went wrong for no known reason, in a line. */
        private String failure;

        Worker(
            final StoreSession session,
            final List<byte[]> keys,
            final Path folder,
            final long seed,
            final int number,
            final long operations) throws IOException
        {
            super("session-" + number);
            this.session = session;
            this.operations = operations;
            recorder = new Recorder(folder.resolve("session-" + number), number);
            workload = new Workload(session, keys, recorder, seed * 1009 + number, number);
        }

        @Override
        public void run()
        {
            try (session; recorder)
            {
                workload.run(operations);
                reconnects = session.clientStatistics().reconnects();
                failure = workload.lastFailure() == null ? null : workload.lastFailure().getMessage();
            }
            catch (final IOException | RuntimeException | Error e)
            {
                e.printStackTrace();
                failure = "CRASH " + e;
            }
        }
    }
}
