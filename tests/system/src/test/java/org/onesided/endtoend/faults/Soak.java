package org.onesided.endtoend.faults;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.testing.HangGuard;

/**
 * Clients that come, work and go, beside one that stays at work: what the server has of the system stays what it was
 * when the first of them were gone.
 */
public final class Soak
{
    private static final int COMERS = 2;
    /** Each client has two sessions of its own and one of its pool. */
    private static final int SESSIONS = 3;
    /** Come and gone before the server is looked at first: what it keeps once and for all is there then. */
    private static final int WARM_UP_CLIENTS = 30;
    /** and so many at least afterwards, so that what each leaves behind shows. */
    private static final int LEAST_CLIENTS = 60;
    private static final int KEYS = 2000;
    /** Few of the keys have long values, or they would not fit. */
    private static final int LONG_KEYS = 20;
    private static final int OPERATIONS = 60;
    /** Lengths that go into messages, are pulled, and need pieces. */
    private static final int[] LENGTHS = {0, 20, 100, 100, 100, 500, 1000, 5000, 20_000, 300_000};
    /** Objects, or memory beyond them, that the JVM and the libraries may need more of as time goes by. */
    private static final long ROOM_BYTES = 600 << 10;
    /** Private memory that may become resident: what compilers take for a moment, and the C library then keeps. */
    private static final long RESIDENT_ROOM_KIB = 48 << 10;

    private final FaultyServer server;
    private final String device;
    private final StoreClient friend;
    private final AtomicInteger clients = new AtomicInteger();
    private volatile boolean isOver;

    /**
     * What a run has seen.
     *
     * @param clients   that came and went after the warm-up.
     * @param before    what the server had after the warm-up.
     * @param after     what it had at the end.
     * @param memoryBefore its memory after the warm-up.
     * @param memoryAfter  its memory at the end.
     */
    record Outcome(int clients, Holdings before, Holdings after, Footprint memoryBefore, Footprint memoryAfter)
    {
        boolean isFlat()
        {
            return after.isWithin(before) && memoryAfter.isWithin(memoryBefore, ROOM_BYTES, RESIDENT_ROOM_KIB);
        }

        @Override
        public String toString()
        {
            return clients + " clients with " + SESSIONS + " sessions each came and went; the server has " +
                after.since(before) + "; " + memoryAfter + ", before: " + memoryBefore;
        }
    }

    private Soak(final FaultyServer server, final String device, final StoreClient friend)
    {
        this.server = server;
        this.device = device;
        this.friend = friend;
    }

    /**
     * Runs for as long as it is told to; exits with 1 if the server has more than before.
     *
     * @param arguments seconds, device.
     * @throws Exception if an answer is wrong.
     */
    public static void main(final String[] arguments) throws Exception
    {
        final Outcome outcome = run(Integer.parseInt(arguments[0]), arguments[1]);
        System.out.println(outcome);
        System.exit(outcome.isFlat() ? 0 : 1);
    }

    static Outcome run(final int seconds, final String device) throws Exception
    {
        final long startNs = System.nanoTime();
        // All memory from the start: what the keys that happen to be there need is no leak.
        try (FaultyServer server = new FaultyServer(
            "--memory", "64m", "--memory-initial", "64m", "--device", FaultyServer.listening(device), "--lease", "60s",
            "--handshake-timeout", "60s", "--shards", "2");
            StoreClient friend = server.friend(device))
        {
            final Soak soak = new Soak(server, device, friend);
            final long lengthNs = TimeUnit.SECONDS.toNanos(seconds);
            soak.fill();
            soak.work(startNs + lengthNs / 10, WARM_UP_CLIENTS, 0);
            final Footprint memory = server.footprint();
            final Holdings before = server.holdings();
            soak.clients.set(0);
            soak.work(startNs + lengthNs, LEAST_CLIENTS, 1);
            Outcome outcome = soak.outcome(before, memory);
            final long patienceNs = System.nanoTime() + HangGuard.nanos(20);
            while (!outcome.isFlat() && System.nanoTime() - patienceNs < 0)
            {
                // Some of it is given back a little later.
                TimeUnit.MILLISECONDS.sleep(100);
                outcome = soak.outcome(before, memory);
            }
            soak.checkConnected(friend);
            return outcome;
        }
    }

    private Outcome outcome(final Holdings before, final Footprint memory)
    {
        final Footprint now = server.footprint();
        return new Outcome(clients.get(), before, server.holdings(), memory, now);
    }

    /** What stays has each kind of value, at each shard: from here on the server keeps a handle of its memory. */
    private void fill()
    {
        for (int key = 0; key < LONG_KEYS; key++)
        {
            for (final int length : LENGTHS)
            {
                friend.put(name(key), value(key, length));
            }
        }
    }

    private void work(final long endNs, final int leastClients, final int part) throws Exception
    {
        isOver = false;
        final ExecutorService executor = Executors.newFixedThreadPool(COMERS + 1);
        try
        {
            final List<Future<?>> comers = new ArrayList<>();
            for (int i = 0; i < COMERS; i++)
            {
                final Random random = new Random(100L * part + i);
                comers.add(executor.submit(() -> comeAndGo(random, endNs, leastClients)));
            }
            final Random random = new Random(part);
            final Future<?> stayer = executor.submit(() ->
            {
                while (!isOver)
                {
                    friend.withSession((session) -> operate(session, random));
                }
            });
            for (final Future<?> comer : comers)
            {
                comer.get();
            }
            isOver = true;
            stayer.get();
            FaultyServer.await(() -> "sessions to end: " + friend.statistics(),
                () -> friend.statistics().stream().allMatch((shard) -> shard.sessions() == 1));
        }
        finally
        {
            isOver = true;
            executor.shutdownNow();
        }
    }

    private void comeAndGo(final Random random, final long endNs, final int leastClients)
    {
        while (System.nanoTime() - endNs < 0 || clients.get() < leastClients)
        {
            try (StoreClient client =
                server.client(device).deadline(Duration.ofSeconds(HangGuard.seconds(60))).build();
                StoreSession first = client.openSession();
                StoreSession second = client.openSession())
            {
                operate(first, random);
                operate(second, random);
                checkConnected(client);
            }
            clients.incrementAndGet();
        }
    }

    /** Only {@code chaos} ends connections by itself. */
    private void checkConnected(final StoreClient client)
    {
        if (!device.startsWith("chaos") && client.clientStatistics().reconnects() != 0)
        {
            throw new AssertionError("a connection was lost that nobody had cut: " + client.clientStatistics());
        }
    }

    /** Nobody knows what others have put; but each value tells its key and its length. */
    private Void operate(final StoreSession session, final Random random)
    {
        for (int i = 0; i < OPERATIONS; i++)
        {
            final int key = random.nextInt(KEYS);
            final int kind = random.nextInt(100);
            if (kind < 70)
            {
                final byte[] found = session.get(name(key));
                if (found != null && !Arrays.equals(found, value(key, found.length)))
                {
                    throw new AssertionError("not what was put: key=" + key + " length=" + found.length);
                }
            }
            else if (kind < 95)
            {
                session.put(name(key), value(
                    key, LENGTHS[random.nextInt(key < LONG_KEYS ? LENGTHS.length : LENGTHS.length - 2)]));
            }
            else
            {
                session.delete(name(key));
            }
        }
        return null;
    }

    private static byte[] name(final int key)
    {
        return ("key-" + key).getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] value(final int key, final int length)
    {
        final byte[] value = new byte[length];
        new Random(key * 31L + length).nextBytes(value);
        return value;
    }
}
