package org.onesided.endtoend.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.AsyncListener;
import org.onesided.client.AsyncSession;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.ShardStatistics;
import org.onesided.testing.HangGuard;
import org.onesided.testing.TestSize;

/**
 * Kills clients in every phase of their lives, again and again, and looks whether the server has what it had. Each is a
 * process of its own; there is one for each phase at a time, and they die when all of them are where they should be.
 */
public final class ClientKills
{
    /** Pulls take their time: before each part of a READ, the server's device pauses for up to 0.2 s. */
    private static final String SERVER_DEVICE = "chaos:1/calm/split=1/stall=1/stallUs=200000:";
    private static final String CLIENT_DEVICE = "chaos:2/calm:";
    /** Each round waits for its end. */
    private static final String LEASE = TestSize.of(15, 8) + "s";
    private static final String KEPT = "present";
    /** Those of killed clients stay until their lease runs out; meanwhile others come. */
    private static final int MAX_SESSIONS = 64;
    private static final int KEPT_KEYS = 50;
    private static final int SHARDS = 2;
    /** Of a session at a shard. */
    private static final int CREDITS = 16;
    /** For longer than a send is tried again to a queue pair that has no receive. */
    private static final long FROZEN_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** How a process ends that was killed: 128 and the signal's number. */
    private static final int KILLED = 128 + 9;
    /** What the JVM itself needs a little more of, whatever it does. */
    private static final long ROOM_BYTES = 1 << 20;
    /** Private memory that may become resident: what compilers take for a moment, and the C library then keeps. */
    private static final long RESIDENT_ROOM_KIB = 48 << 10;

    private final FaultyServer server;
    private final String device;
    private final StoreClient healthy;
    private long heapBytes;
    private int killed;
    private Footprint latest;

    private ClientKills(final FaultyServer server, final String device, final StoreClient healthy)
    {
        this.server = server;
        this.device = device;
        this.healthy = healthy;
    }

    /**
     * Kills clients for as long as it is told to, and prints how many.
     *
     * @param arguments how many clients, at least, once it is known what the server has; device.
     * @throws Exception if the server has more than before, or less than it should.
     */
    public static void main(final String[] arguments) throws Exception
    {
        final long startNs = System.nanoTime();
        final int killed = run(Integer.parseInt(arguments[0]), arguments[1], true);
        System.out.println("killed " + killed + " clients, a process each, over " + arguments[1] + " in " +
            TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs) + " s; the server has what it had");
    }

    static int run(final int clients, final String wrapped, final boolean isVerbose) throws Exception
    {
        final String device = CLIENT_DEVICE + wrapped;
        try (FaultyServer server = new FaultyServer("--memory", "96m", "--device",
            FaultyServer.listening(SERVER_DEVICE + wrapped), "--lease", LEASE, "--handshake-timeout", "60s", "--shards",
            Integer.toString(SHARDS), "--credits", Integer.toString(CREDITS), "--max-sessions",
            Integer.toString(MAX_SESSIONS), "--metrics", "127.0.0.1:0");
            StoreClient healthy = server.friend(device))
        {
            final ClientKills kills = new ClientKills(server, device, healthy);
            kills.prepare();
            // What is opened once and for all is there after the first time, for which a process of all phases may do.
            kills.round(TestSize.of(1, Phase.values().length));
            kills.awaitAllSessions();
            server.sessions();
            kills.killed = 0;
            final Footprint footprint = server.footprint();
            final Holdings before = server.holdings();
            while (kills.killed < clients)
            {
                kills.round(1);
                if (isVerbose)
                {
                    System.out.println("killed " + kills.killed + ", " + server.holdings().since(before));
                }
            }
            kills.expectAsBefore(before);
            FaultyServer.await(() -> "memory to be what it was: " + footprint + " now: " + kills.latest,
                () -> (kills.latest = server.footprint()).isWithin(footprint, ROOM_BYTES, RESIDENT_ROOM_KIB));
            return kills.killed;
        }
    }

    private void prepare()
    {
        healthy.put(KEPT, KEPT);
        for (int i = 0; i < KEPT_KEYS; i++)
        {
            healthy.put(KEPT + i, KEPT + i);
        }
        heapBytes = FaultyServer.sum(healthy, ShardStatistics::heapBytesUsed);
    }

    private void round(final int phasesOfAProcess) throws Exception
    {
        final List<ClientProcess> processes = new ArrayList<>();
        try
        {
            final List<String> phases = Stream.of(Phase.values()).map(Phase::name).toList();
            for (int i = 0; i < phases.size(); i += phasesOfAProcess)
            {
                final List<String> arguments = new ArrayList<>(List.of(server.address(), device));
                arguments.addAll(phases.subList(i, i + phasesOfAProcess));
                processes.add(ClientProcess.start(HaltingClient.class, server.quickFlags(), arguments));
            }
            final Set<String> reached = new HashSet<>();
            for (int i = 0; i < phases.size(); i++)
            {
                reached.add(processes.get(i / phasesOfAProcess).line());
            }
            final Set<String> wanted = phases.stream().map((phase) -> "at " + phase).collect(Collectors.toSet());
            expect(reached.equals(wanted), "clients went astray: " + reached);
            expectUnharmed();
            for (final ClientProcess process : processes)
            {
                process.signal("KILL");
            }
            for (final ClientProcess process : processes)
            {
                expect(process.end() == KILLED, "client ended by itself: exit code=" + process.end());
                killed++;
            }
        }
        finally
        {
            CloseHelper.quietCloseAll(processes);
        }
        expectUnharmed();
        awaitOnlyHealthy();
    }

    /** The others' trouble is not the healthy one's; and nothing is there of what was not finished. */
    private void expectUnharmed()
    {
        for (int i = 0; i < KEPT_KEYS; i++)
        {
            expect((KEPT + i).equals(healthy.get(KEPT + i)), "key=" + KEPT + i);
        }
        healthy.put(KEPT, KEPT);
        expect(KEPT.equals(healthy.get(KEPT)), "key=" + KEPT);
        expect(healthy.get(Phase.unwritten()) == null, "a put that was not sent is there");
        expect(!healthy.contains(Phase.large()), "a value that was not pulled is there");
        final String sent = healthy.get("put-sent");
        expect(sent == null || sent.equals("x".repeat(300)), "put-sent=" + sent);
        for (int i = 0; i < Phase.BATCH_KEYS; i++)
        {
            final byte[] value = healthy.get(Phase.batchKey(i).getBytes());
            expect(value == null || Arrays.equals(value, new byte[300]), "key=" + Phase.batchKey(i));
        }
    }

    private void awaitOnlyHealthy() throws InterruptedException
    {
        FaultyServer.await(
            () -> "the killed clients' sessions to end: " + healthy.statistics(),
            () -> healthy.statistics().stream().allMatch((shard) -> shard.sessions() == 1));
    }

    private void expectAsBefore(final Holdings before) throws InterruptedException
    {
        // Of each phase that is to take effect, something has.
        expect("x".repeat(300).equals(healthy.get("put-sent")), "put-sent=" + healthy.get("put-sent"));
        healthy.delete("put-sent");
        int written = 0;
        for (int i = 0; i < Phase.BATCH_KEYS; i++)
        {
            written += healthy.delete(Phase.batchKey(i)) ? 1 : 0;
        }
        expect(written > 0 && written < Phase.BATCH_KEYS, "of a batch that was cut, so many are there: " + written);
        // Before others come, to whom sessions give way that are without a client.
        FaultyServer.await(() -> "the killed clients' sessions to be forgotten: sessions=" + server.sessions(),
            () -> server.sessions() == 1);
        awaitAllSessions();
        // What a killed process left in shared memory is removed when the next one starts.
        FaultyServer.await(() -> "the server to have no more than before: " + server.holdings().since(before),
            () -> server.holdings().isWithin(before));
        final long records = FaultyServer.sum(healthy, ShardStatistics::records);
        expect(records == KEPT_KEYS + 1, "records=" + records);
        expect(heapBytes == FaultyServer.sum(healthy, ShardStatistics::heapBytesUsed),
            "memory of records that are no more: before=" + heapBytes + " " + healthy.statistics());
    }

    /** All may be there at a time, with all their credits: neither places nor the room in queues were lost. */
    private void awaitAllSessions() throws InterruptedException
    {
        final StoreException[] refusal = new StoreException[1];
        FaultyServer.await(() -> "all sessions to be had again: " + refusal[0], () ->
        {
            try (StoreClient all = server.client(device).maxSessions(MAX_SESSIONS)
                .deadline(Duration.ofSeconds(HangGuard.seconds(60))).build())
            {
                openAll(all);
                return true;
            }
            catch (final StoreException e)
            {
                refusal[0] = e;
                return false;
            }
        });
        awaitOnlyHealthy();
    }

    private void openAll(final StoreClient client)
    {
        final List<StoreSession> sessions = new ArrayList<>();
        try
        {
            while (sessions.size() < MAX_SESSIONS - 2)
            {
                sessions.add(client.openSession());
            }
            final List<AsyncSession> writers = sessions.stream().map((session) -> session.async(new Told())).toList();
            // Nobody takes a message: each needs a receive of its own, or the session's queue pair is lost.
            server.freeze();
            try
            {
                writers.forEach(ClientKills::useCredits);
                final long endNs = System.nanoTime() + FROZEN_NS;
                while (System.nanoTime() - endNs < 0)
                {
                    writers.forEach(AsyncSession::poll);
                }
            }
            finally
            {
                server.thaw();
            }
            writers.forEach(AsyncSession::drain);
            for (final AsyncSession writer : writers)
            {
                useCredits(writer);
                writer.drain();
            }
            expect(client.clientStatistics().reconnects() == 0, "sessions were lost: " + client.clientStatistics());
        }
        finally
        {
            sessions.forEach(StoreSession::close);
        }
    }

    /** Begins all the puts that a session may have unanswered; they change nothing. */
    private static void useCredits(final AsyncSession session)
    {
        int begun = 0;
        for (int i = 0; i < 2 * KEPT_KEYS; i++)
        {
            final UnsafeBuffer pair = new UnsafeBuffer((KEPT + i % KEPT_KEYS).getBytes());
            begun += session.put(pair, 0, pair.capacity(), pair, 0, pair.capacity(), i) ? 1 : 0;
        }
        expect(begun == SHARDS * CREDITS, "a session has other credits than it was given: puts=" + begun);
    }

    /** What a session is told of its puts. */
    private static final class Told implements AsyncListener
    {
        @Override
        public void onValue(final long correlation, final DirectBuffer value)
        {
            throw new AssertionError("nothing was looked up");
        }

        @Override
        public void onPut(final long correlation)
        {
            // As it should be.
        }

        @Override
        public void onDelete(final long correlation, final boolean wasPresent)
        {
            throw new AssertionError("nothing was deleted");
        }

        @Override
        public void onFailure(final long correlation, final StoreException failure)
        {
            throw new AssertionError("put failed", failure);
        }
    }

    private static void expect(final boolean isTrue, final String otherwise)
    {
        if (!isTrue)
        {
            throw new AssertionError(otherwise);
        }
    }
}
