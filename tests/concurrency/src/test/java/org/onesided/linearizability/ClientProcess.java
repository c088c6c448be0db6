package org.onesided.linearizability;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.types.Waiting;

/**
 * A client of a run, in a process of its own: as many sessions as it was told, which share a mirror. Connected, it
 * answers each line of its input with one of its output: to {@code clock} with its time, to {@code go N} with what came
 * of its work when each session has done N operations in all.
 */
public final class ClientProcess
{
    private static final long MAX_TRY_MS = 60_000;
    private static final int SESSION_TRIES = 20;
    /** Other lives of the server than the first. */
    private static final AtomicInteger LIVES = new AtomicInteger();

    private ClientProcess()
    {
    }

    /**
     * Runs until the end of its input.
     *
     * @param arguments server, device, bytes of the mirror, number of the first session, sessions, seed, file of
     *                  keys, folder for histories, milliseconds of a call's deadline, whether to sleep at once when
     *                  there is something to wait for, name of a {@link Load}, the server's token, if any.
     * @throws Exception if anything goes wrong.
     */
    public static void main(final String[] arguments) throws Exception
    {
        run(List.of(arguments),
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII)),
            new PrintWriter(System.out, true));
    }

    /** The same within a process that has more to do. */
    static void run(final List<String> arguments, final BufferedReader input, final PrintWriter output)
        throws IOException, InterruptedException
    {
        final List<byte[]> keys = Keys.read(Path.of(arguments.get(6)));
        final StoreClientBuilder builder = StoreClient.builder()
            .server(arguments.get(0))
            .device(arguments.get(1))
            .token(arguments.size() > 11 ? arguments.get(11).getBytes(StandardCharsets.US_ASCII) : new byte[0])
            .mirrorBytes(Long.parseLong(arguments.get(2)))
            .onServerLife((before, now) -> LIVES.incrementAndGet())
            .waiting(Boolean.parseBoolean(arguments.get(9)) ? Waiting.SLEEPING : Waiting.DEFAULT);
        try (StoreClient client = connected(builder, Long.parseLong(arguments.get(8))))
        {
            final List<Worker> workers = workers(client, keys, arguments);
            for (String line = input.readLine(); line != null; line = input.readLine())
            {
                output.println(line.equals("clock") ? "clock " + System.nanoTime() :
                    work(workers, Long.parseLong(line.substring("go ".length()))));
            }
            for (final Worker worker : workers)
            {
                worker.close();
            }
        }
    }

    private static List<Worker> workers(
        final StoreClient client, final List<byte[]> keys, final List<String> arguments) throws IOException
    {
        final int first = Integer.parseInt(arguments.get(3));
        final int count = Integer.parseInt(arguments.get(4));
        final long seed = Long.parseLong(arguments.get(5));
        final Path folder = Path.of(arguments.get(7));
        final Load load = Load.valueOf(arguments.get(10));
        final List<Worker> workers = new ArrayList<>();
        for (int i = first; i < first + count; i++)
        {
            workers.add(new Worker(session(client), keys, folder, load, seed, i));
        }
        return workers;
    }

    private static StoreClient connected(final StoreClientBuilder builder, final long deadlineMs)
    {
        // A JVM's first connection takes longer than an impatient client waits; on a busy machine others do, too.
        builder.deadline(Duration.ofMillis(MAX_TRY_MS)).build().close();
        long tryMs = deadlineMs;
        while (true)
        {
            try
            {
                return builder.deadline(Duration.ofMillis(tryMs)).build();
            }
            catch (final StoreConnectException e)
            {
                if (tryMs > MAX_TRY_MS)
                {
                    throw e;
                }
                tryMs += tryMs / 4;
            }
        }
    }

    private static StoreSession session(final StoreClient client)
    {
        StoreConnectException failure = null;
        for (int i = 0; i < SESSION_TRIES; i++)
        {
            try
            {
                return client.openSession();
            }
            catch (final StoreConnectException e)
            {
                failure = e;
            }
        }
        throw failure;
    }

    private static String work(final List<Worker> workers, final long operations) throws InterruptedException
    {
        final List<Thread> threads = new ArrayList<>();
        for (final Worker worker : workers)
        {
            final Thread thread = new Thread(() -> worker.run(operations), worker.name);
            thread.start();
            threads.add(thread);
        }
        for (final Thread thread : threads)
        {
            thread.join();
        }
        return "done " + workers.stream().mapToLong(w -> w.workload.full()).sum() + ' ' +
            workers.stream().mapToLong(w -> w.workload.failures()).sum() + ' ' +
            workers.stream().mapToLong(w -> w.reconnects).sum() + ' ' +
            workers.stream().mapToLong(w -> w.workload.tornReads()).sum() + ' ' +
            workers.stream().mapToLong(w -> w.workload.requests()).sum() + ' ' +
            workers.stream().mapToLong(w -> w.workload.scans()).sum() + ' ' +
            (LIVES.get() > 0 ? "CRASH the server was taken for another one: times=" + LIVES.get() :
            workers.stream().map(w -> w.failure).filter(f -> f != null).findFirst().orElse(""));
    }

    private static final class Worker implements AutoCloseable
    {
        private final String name;
        private final StoreSession session;
        private final Recorder recorder;
        private final Workload workload;
        private long reconnects;
        /** What went wrong for no known reason, in a line. */
        private String failure;

        Worker(
            final StoreSession session,
            final List<byte[]> keys,
            final Path folder,
            final Load load,
            final long seed,
            final int number) throws IOException
        {
            name = "session-" + number;
            this.session = session;
            recorder = new Recorder(folder.resolve(name), number);
            workload = new Workload(session, keys, recorder, load, seed, number);
        }

        void run(final long operations)
        {
            try
            {
                workload.run(operations);
                recorder.flush();
                reconnects = session.clientStatistics().reconnects();
                failure = workload.lastFailure() == null ? null : workload.lastFailure().getMessage();
            }
            catch (final RuntimeException | Error e)
            {
                e.printStackTrace();
                failure = "CRASH " + e;
            }
        }

        @Override
        public void close() throws IOException
        {
            try (session)
            {
                recorder.close();
            }
        }
    }
}
