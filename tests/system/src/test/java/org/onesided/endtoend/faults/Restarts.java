package org.onesided.endtoend.faults;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;
import org.agrona.DirectBuffer;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.types.ShardStatistics;
import org.onesided.testing.HangGuard;

/**
 * Starts a server anew while clients are at work, killed and stopped by turns. A write that was known to be done before
 * is gone with the server's life; one that was in flight is reported as done, not done or unknown, and is never done in
 * the next life; and at the end the store holds what its clients know, to the pair.
 */
public final class Restarts
{
    private static final int CLIENTS = 2;
    private static final int WRITERS = 3;
    /** Writes of each writer that must have succeeded in a life before it ends. */
    private static final int WRITES = 150;

    private final FaultyServer server;
    private final List<OwnedWriter> writers = new ArrayList<>();
    private final List<Future<?>> futures = new ArrayList<>();

    /**
     * What a run has seen.
     *
     * @param restarts   of the server.
     * @param reconnects of clients.
     * @param unapplied  writes that failed for certain.
     * @param unknown    writes of unknown fate.
     */
    record Outcome(int restarts, long reconnects, long unapplied, long unknown)
    {
    }

    private Restarts(final FaultyServer server)
    {
        this.server = server;
    }

    /**
     * Starts a server anew as often as it is told to, and prints what came of it.
     *
     * @param arguments how often, device.
     * @throws Exception if an answer is wrong.
     */
    public static void main(final String[] arguments) throws Exception
    {
        final long startNs = System.nanoTime();
        final Outcome outcome = run(Integer.parseInt(arguments[0]), arguments[1]);
        System.out.println(outcome + " in " + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs) +
            " s: no write was lost, done twice or done after its life");
    }

    static Outcome run(final int restarts, final String device) throws Exception
    {
        final ExecutorService executor = Executors.newCachedThreadPool();
        final List<StoreClient> clients = new ArrayList<>();
        try (FaultyServer server = new FaultyServer(
            "--memory", "96m", "--shards", "2", "--device", FaultyServer.listening(device)))
        {
            final Restarts run = new Restarts(server);
            for (int i = 0; i < CLIENTS; i++)
            {
                // Some operations wait until the server is back, others give up.
                clients.add(FaultyServer.hasty(server.client(device)
                    .deadline(i == 0 ? Duration.ofSeconds(HangGuard.seconds(120)) : Duration.ofMillis(300))));
            }
            run.start(executor, clients, restarts);
            return run.finish(clients, restarts);
        }
        finally
        {
            executor.shutdownNow();
            clients.forEach(StoreClient::close);
        }
    }

    private void start(final ExecutorService executor, final List<StoreClient> clients, final int restarts)
        throws Exception
    {
        for (int i = 0; i < CLIENTS * WRITERS; i++)
        {
            writers.add(writer(clients.get(i % CLIENTS), i));
        }
        writers.forEach((writer) -> futures.add(executor.submit(writer)));
        for (int i = 0; i < restarts; i++)
        {
            awaitWrites(i);
            restart(i);
        }
        awaitWrites(restarts);
    }

    private static OwnedWriter writer(final StoreClient client, final int number) throws InterruptedException
    {
        final OwnedWriter[] made = new OwnedWriter[1];
        FaultyServer.await(() -> "a session", () ->
        {
            try
            {
                made[0] = new OwnedWriter(client, "writer-" + number, number);
                return true;
            }
            catch (final StoreConnectException e)
            {
                // The deadline is short, and the machine may be busy.
                return false;
            }
        });
        return made[0];
    }

    private void restart(final int number) throws IOException
    {
        if (number % 2 == 0)
        {
            server.killAndRestart();
        }
        else
        {
            server.stopAndRestart();
        }
    }

    private void awaitWrites(final int lives) throws Exception
    {
        for (final OwnedWriter writer : writers)
        {
            await("writes in life " + lives, () -> writer.livesSeen() >= lives && writer.succeeded() >= WRITES);
        }
    }

    private void await(final String what, final BooleanSupplier condition) throws Exception
    {
        FaultyServer.await(() -> what, () -> futures.stream().anyMatch(Future::isDone) || condition.getAsBoolean());
        for (final Future<?> future : futures)
        {
            if (future.isDone())
            {
                // What it threw.
                future.get();
            }
        }
    }

    private Outcome finish(final List<StoreClient> clients, final int restarts) throws Exception
    {
        writers.forEach(OwnedWriter::stop);
        for (final Future<?> future : futures)
        {
            future.get(HangGuard.seconds(180), TimeUnit.SECONDS);
        }
        final Map<String, String> found = new HashMap<>();
        clients.get(0).scan((key, value) ->
            found.put(new String(bytes(key), StandardCharsets.US_ASCII), OwnedState.text(bytes(value))));
        writers.forEach((writer) -> writer.checkAll(found));
        if (found.keySet().stream().anyMatch((key) -> writers.stream().noneMatch((w) -> w.state().owns(key))))
        {
            throw new AssertionError("there are keys that nobody has put: " + found.keySet());
        }
        final long known = sum(OwnedState::puts);
        final long unknown = sum(OwnedState::unknown);
        final long puts = FaultyServer.sum(clients.get(0), ShardStatistics::puts);
        if (puts < known || puts > known + unknown)
        {
            throw new AssertionError("not each write was done once in the last life: done=" + puts + " known=" +
                known + " unknown=" + unknown);
        }
        final Outcome outcome = new Outcome(
            restarts,
            clients.stream().mapToLong((client) -> client.clientStatistics().reconnects()).sum(),
            writers.stream().mapToLong(OwnedWriter::unapplied).sum(),
            writers.stream().mapToLong(OwnedWriter::unknown).sum());
        writers.forEach(OwnedWriter::close);
        return outcome;
    }

    private long sum(final ToLongFunction<OwnedState> number)
    {
        return writers.stream().map(OwnedWriter::state).mapToLong(number).sum();
    }

    private static byte[] bytes(final DirectBuffer buffer)
    {
        final byte[] bytes = new byte[buffer.capacity()];
        buffer.getBytes(0, bytes);
        return bytes;
    }
}
