package org.onesided.benchmark;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.types.ClusterState;
import org.onesided.client.types.Waiting;

/**
 * For how long clients of a cluster of three cannot write when a partition gets another leader: by a planned transfer,
 * and because its leader was killed. Then the processor time of servers that nobody uses. Arguments: number of
 * transfers, of kills, seconds to be idle, 0 for none each.
 */
final class FailoverBenchmark
{
    private static final int PARTITIONS = 8;
    private static final long LEASE_MS = 1_000;
    /** A partition without one of them is unlikely. */
    private static final int WRITERS = 24;
    private static final long BETWEEN_WRITES_MS = 5;
    private static final long WARM_MS = 5_000;
    /** Longer than a write waits for a leader. */
    private static final long AFTER_MS = 5_000;
    private static final double NS_PER_MS = 1e6;

    private final FailoverMembers members;
    private final List<Writer> writers = new ArrayList<>();
    private volatile boolean isOver;

    /** A thread that puts the same key again and again. */
    private final class Writer
    {
        private final StoreClient client;
        private final byte[] key;
        private final Thread thread = new Thread(this::run, "failover-writer");
        private volatile long longestNs;
        private volatile long begunNs;
        private volatile int failures;

        Writer(final StoreClient client, final int number)
        {
            this.client = client;
            key = new byte[]{'k', (byte)('a' + number)};
            thread.start();
        }

        private void run()
        {
            try
            {
                while (!isOver)
                {
                    begunNs = System.nanoTime();
                    try
                    {
                        client.put(key, new byte[100]);
                    }
                    catch (final StoreException e)
                    {
                        failures++;
                    }
                    longestNs = Math.max(longestNs, System.nanoTime() - begunNs);
                    TimeUnit.MILLISECONDS.sleep(BETWEEN_WRITES_MS);
                }
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    private FailoverBenchmark(final FailoverMembers members)
    {
        this.members = members;
    }

    public static void main(final String[] args) throws Exception
    {
        final int transfers = Integer.parseInt(args[0]);
        final int kills = Integer.parseInt(args[1]);
        final int idleSeconds = Integer.parseInt(args[2]);
        try (FailoverMembers members = new FailoverMembers(PARTITIONS, LEASE_MS))
        {
            members.awaitSound(PARTITIONS);
            final FailoverBenchmark benchmark = new FailoverBenchmark(members);
            if (transfers > 0 || kills > 0)
            {
                benchmark.measure(transfers, kills);
            }
            if (idleSeconds > 0)
            {
                members.awaitSound(PARTITIONS);
                benchmark.idle(idleSeconds);
            }
        }
    }

    private void measure(final int transfers, final int kills) throws Exception
    {
        try (StoreClient client = StoreClient.builder().server(members.addresses()).device("shm")
            .waiting(Waiting.SLEEPING).deadline(Duration.ofSeconds(60)).maxSessions(2).build())
        {
            for (int i = 0; i < WRITERS; i++)
            {
                writers.add(new Writer(client, i));
            }
            TimeUnit.MILLISECONDS.sleep(WARM_MS);
            print("no change", List.of(quiet()));
            final List<Double> pauses = new ArrayList<>();
            for (int i = 0; i < transfers; i++)
            {
                pauses.add(transfer(i % PARTITIONS));
            }
            print("planned transfer", pauses);
            pauses.clear();
            for (int i = 0; i < kills; i++)
            {
                pauses.add(kill());
                System.out.printf(Locale.ROOT, "kill %d: %,.0f ms%n", i + 1, pauses.get(i));
            }
            print("kill -9", pauses);
            isOver = true;
            for (final Writer writer : writers)
            {
                writer.thread.join();
            }
            System.out.println("writes that failed: " + writers.stream().mapToInt((each) -> each.failures).sum());
        }
    }

    private double quiet() throws InterruptedException
    {
        writers.forEach((writer) -> writer.longestNs = 0);
        TimeUnit.MILLISECONDS.sleep(AFTER_MS);
        return longestMs();
    }

    /** Of writes that have ended, and of those that have not. */
    private double longestMs()
    {
        final long nowNs = System.nanoTime();
        return writers.stream().mapToLong((each) -> Math.max(each.longestNs, nowNs - each.begunNs)).max()
            .orElseThrow() / NS_PER_MS;
    }

    private double transfer(final int partition) throws Exception
    {
        members.awaitSound(PARTITIONS);
        final ClusterState from = members.leader(partition);
        final long to = from.self() % FailoverMembers.COUNT + 1;
        writers.forEach((writer) -> writer.longestNs = 0);
        final String refusal = members.transfer(partition, from, to);
        if (!refusal.isEmpty())
        {
            System.out.println("not transferred: " + refusal);
        }
        TimeUnit.MILLISECONDS.sleep(AFTER_MS / 5);
        return longestMs();
    }

    private double kill() throws Exception
    {
        members.awaitSound(PARTITIONS);
        final long member = members.leader(0).self();
        TimeUnit.MILLISECONDS.sleep(AFTER_MS / 5);
        writers.forEach((writer) -> writer.longestNs = 0);
        members.kill(member);
        TimeUnit.MILLISECONDS.sleep(AFTER_MS);
        final double pause = longestMs();
        members.start(member);
        return pause;
    }

    private static void print(final String what, final List<Double> pauses)
    {
        if (!pauses.isEmpty())
        {
            final List<Double> sorted = pauses.stream().sorted().toList();
            System.out.printf(Locale.ROOT, "longest write, %-16s  n=%-3d p50=%,.0f ms p90=%,.0f ms most=%,.0f ms%n",
                what, sorted.size(), sorted.get(sorted.size() / 2), sorted.get(sorted.size() * 9 / 10),
                sorted.get(sorted.size() - 1));
        }
    }

    private void idle(final int seconds) throws IOException, InterruptedException
    {
        final Map<Long, Map<String, Double>> before = new TreeMap<>();
        TimeUnit.MILLISECONDS.sleep(WARM_MS);
        for (long member = 1; member <= FailoverMembers.COUNT; member++)
        {
            before.put(member, ThreadTimes.of(members.pid(member)));
        }
        final long beganNs = System.nanoTime();
        TimeUnit.SECONDS.sleep(seconds);
        for (long member = 1; member <= FailoverMembers.COUNT; member++)
        {
            final Map<String, Double> used = ThreadTimes.of(members.pid(member));
            final double overS = (System.nanoTime() - beganNs) / 1e9;
            final StringBuilder text = new StringBuilder();
            double all = 0;
            for (final Map.Entry<String, Double> each : used.entrySet())
            {
                // The time of threads that have ended is missing.
                final double share = Math.max(
                    0, 100 * (each.getValue() - before.get(member).getOrDefault(each.getKey(), 0.0)) / overS);
                all += share;
                text.append(String.format(Locale.ROOT, "  %s %.1f %%", each.getKey(), share));
            }
            System.out.printf(Locale.ROOT, "idle, member %d: %.1f %% of a core:%s%n", member, all, text);
        }
    }
}
