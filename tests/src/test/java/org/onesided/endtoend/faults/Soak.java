package org.onesided.endtoend.faults;

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
 * Clients that come, work and go, beside one that stays at work: what the server has of the system stays what it was.
 */
public final class Soak
{
    private static final int COMERS = 2;
    private static final int KEYS = 2000;
    private static final int OPERATIONS = 60;
    /** Lengths that go into messages, are pulled, and need pieces. */
    private static final int[] LENGTHS = {0, 20, 100, 100, 100, 500, 1000, 5000, 20_000, 300_000};
    /** Compilers' and collectors' own. */
    private static final long ROOM_KIB = 48 << 10;

    private final FaultyServer server;
    private final String device;
    private final long endNs;
    private final AtomicInteger connections = new AtomicInteger();

    /**
     * What a run has seen.
     *
     * @param connections clients that came and went.
     * @param before      what the server had after a tenth of the time.
     * @param after       what it had at the end.
     * @param beforeKiB   resident memory of the server after a tenth of the time.
     * @param afterKiB    resident memory of the server at the end.
     */
    record Outcome(int connections, Holdings before, Holdings after, long beforeKiB, long afterKiB)
    {
        boolean isFlat()
        {
            return after.isWithin(before) && afterKiB <= beforeKiB + ROOM_KIB;
        }

        @Override
        public String toString()
        {
            return connections + " clients came and went, the server has " + after.since(before) + ", resident KiB=" +
                afterKiB + ", before: " + beforeKiB;
        }
    }

    private Soak(final FaultyServer server, final String device, final long endNs)
    {
        this.server = server;
        this.device = device;
        this.endNs = endNs;
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
        try (FaultyServer server = new FaultyServer(
            "--memory", "64m", "--device", device, "--lease", "10s", "--shards", "2");
            StoreClient friend = server.friend(device))
        {
            final long startNs = System.nanoTime();
            final long warmNs = TimeUnit.SECONDS.toNanos(seconds) / 10;
            new Soak(server, device, startNs + warmNs).work(friend, 0);
            final Holdings before = server.holdings();
            final long beforeKiB = server.residentKiB();
            final Soak soak = new Soak(server, device, startNs + TimeUnit.SECONDS.toNanos(seconds));
            soak.work(friend, 1);
            try
            {
                FaultyServer.await(() -> "", () -> server.holdings().isWithin(before));
            }
            catch (final AssertionError e)
            {
                // The outcome tells.
            }
            return new Outcome(
                soak.connections.get(), before, server.holdings(), beforeKiB, server.residentKiB());
        }
    }

    private void work(final StoreClient friend, final int part) throws Exception
    {
        final ExecutorService executor = Executors.newFixedThreadPool(COMERS + 1);
        try
        {
            final List<Future<?>> futures = new ArrayList<>();
            for (int i = 0; i < COMERS; i++)
            {
                final Random random = new Random(100L * part + i);
                futures.add(executor.submit(() -> comeAndGo(random)));
            }
            final Random random = new Random(part);
            futures.add(executor.submit(() ->
            {
                while (System.nanoTime() - endNs < 0)
                {
                    friend.withSession((session) -> operate(session, random));
                }
            }));
            for (final Future<?> future : futures)
            {
                future.get();
            }
            FaultyServer.await(() -> "sessions to end: " + friend.statistics(),
                () -> friend.statistics().stream().allMatch((shard) -> shard.sessions() == 1));
        }
        finally
        {
            executor.shutdownNow();
        }
    }

    private void comeAndGo(final Random random)
    {
        do
        {
            try (StoreClient client =
                server.client(device).deadline(Duration.ofSeconds(HangGuard.seconds(60))).build();
                StoreSession first = client.openSession();
                StoreSession second = client.openSession())
            {
                operate(first, random);
                operate(second, random);
            }
            connections.incrementAndGet();
        }
        while (System.nanoTime() - endNs < 0);
    }

    /** Nobody knows what others have put; but each value tells its key and its length. */
    private Void operate(final StoreSession session, final Random random)
    {
        for (int i = 0; i < OPERATIONS && System.nanoTime() - endNs < 0; i++)
        {
            final int key = random.nextInt(KEYS);
            final byte[] name = ("key-" + key).getBytes();
            final int kind = random.nextInt(100);
            if (kind < 70)
            {
                final byte[] found = session.get(name);
                if (found != null && !Arrays.equals(found, value(key, found.length)))
                {
                    throw new AssertionError("not what was put: key=" + key + " length=" + found.length);
                }
            }
            else if (kind < 95)
            {
                // Few of the keys have long values, or they would not fit.
                session.put(name, value(key, LENGTHS[random.nextInt(key < 20 ? LENGTHS.length : LENGTHS.length - 2)]));
            }
            else
            {
                session.delete(name);
            }
        }
        return null;
    }

    private static byte[] value(final int key, final int length)
    {
        final byte[] value = new byte[length];
        new Random(key * 31L + length).nextBytes(value);
        return value;
    }
}
