package org.onesided.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.types.Waiting;
import org.onesided.testing.ServerProcess;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Context;
import org.onesided.verbs.Devices;
import org.onesided.verbs.PathChoice;

/**
 * READs and lookups on an RDMA device beside the C programs of perftest, all on one machine, alternating, in rounds.
 * What counts is the median of the rounds' ratios: what else the machine does slows both of a round's pair down.
 *
 * <p>Arguments: number of rounds, file for the results in JSON.
 */
public final class RdmaBenchmark
{
    private static final int SMALL = 64;
    private static final int LIST = 64;
    private static final int[] RECORD_LENGTHS = {64, 160, 1088, 4128};
    private static final int RECORDS = RawReads.PLACES;
    private static final int READS = 2000;
    private static final int SLICES = 20;
    private static final int LISTED_READS = 12_800;
    private static final int WARM_UP_ROUNDS = 15;

    private final Map<String, Series> results = new LinkedHashMap<>();
    private final int rounds;
    private int round;

    private RdmaBenchmark(final int rounds)
    {
        this.rounds = rounds;
    }

    /**
     * @param arguments number of rounds, file for the results.
     * @throws IOException          if a peer or a file fails.
     * @throws InterruptedException never.
     */
    public static void main(final String[] arguments) throws IOException, InterruptedException
    {
        final RdmaBenchmark benchmark = new RdmaBenchmark(Integer.parseInt(arguments[0]));
        try (Context context = Devices.find("ibv").open())
        {
            final ConnectionOptions path = PathChoice.resolve(context, ConnectionOptions.defaults(0));
            final String device = context.device().name().substring("ibv:".length());
            try (RawReads raw = new RawReads(context, path);
                ServerProcess server = ServerProcess.start("--device", "ibv:" + device, "--memory", "16m");
                StoreClient client = StoreClient.builder()
                    .server(server.address())
                    .device("ibv:" + device)
                    .waiting(Waiting.SPINNING)
                    .deadline(Duration.ofSeconds(30))
                    .build();
                StoreSession session = client.openSession();
                StoreClient resting = StoreClient.builder()
                    .server(server.address())
                    .device("ibv:" + device)
                    .deadline(Duration.ofSeconds(30))
                    .build();
                StoreSession batches = resting.openSession();
                StoreSession moreBatches = resting.openSession())
            {
                benchmark.run(
                    raw, session, batches, moreBatches, new Perftest(device, Math.max(0, path.gidIndex())));
            }
        }
        Files.writeString(Path.of(arguments[1]), benchmark.json());
        System.out.print(benchmark.text());
    }

    /**
     * Single lookups spin, as perftest does; batches wait as is the default, so that the device's emulation has both
     * cores while a group is under way.
     */
    private void run(
        final RawReads raw,
        final StoreSession session,
        final StoreSession batches,
        final StoreSession moreBatches,
        final Perftest perftest) throws IOException, InterruptedException
    {
        final List<Gets> gets = new ArrayList<>();
        for (final int length : RECORD_LENGTHS)
        {
            gets.add(new Gets(session, length, RECORDS));
        }
        session.warmUp();
        final Gets many = new Gets(batches, SMALL, RECORDS);
        batches.warmUp();
        final Gets more = new Gets(moreBatches, SMALL, RECORDS);
        moreBatches.warmUp();
        for (int i = 0; i < WARM_UP_ROUNDS; i++)
        {
            raw.meanNs(SMALL, READS);
            gets.forEach((g) -> g.meanNs(READS));
            many.pipelinedPerSecond(LISTED_READS);
        }
        for (round = 0; round < rounds; round++)
        {
            add("ib_read_lat, READ of 64 B", "ns", perftest.readLatencyNs(SMALL, READS));
            add("API, READ of 64 B", "ns", raw.meanNs(SMALL, READS));
            for (int i = 0; i < RECORD_LENGTHS.length; i++)
            {
                alternate(raw, gets.get(i), RECORD_LENGTHS[i]);
            }
            add("ib_read_bw -s 64 -l 64", "READs/s", perftest.readsPerSecond(SMALL, LISTED_READS, LIST));
            add("getAll, records of 64 B", "GETs/s", many.pipelinedPerSecond(LISTED_READS));
            add("getAll by two threads", "GETs/s", pipelinedPerSecond(many, more));
        }
    }

    /** Two sessions at once, a thread each: how many GETs per second both do. */
    private static double pipelinedPerSecond(final Gets one, final Gets other) throws InterruptedException
    {
        final Thread thread = new Thread(() -> other.pipelinedPerSecond(LISTED_READS), "benchmark-batches");
        final long beginNs = System.nanoTime();
        thread.start();
        one.pipelinedPerSecond(LISTED_READS);
        thread.join();
        return 2 * LISTED_READS * 1e9 / (System.nanoTime() - beginNs);
    }

    /** In slices, since both are this process' and can begin at once. */
    private void alternate(final RawReads raw, final Gets gets, final int length)
    {
        double readNs = 0;
        double getNs = 0;
        for (int i = 0; i < SLICES; i++)
        {
            readNs += raw.meanNs(length, READS / SLICES) / SLICES;
            getNs += gets.meanNs(READS / SLICES) / SLICES;
        }
        add("API, READ of " + length + " B, beside GET", "ns", readNs);
        add("GET of a record of " + length + " B", "ns", getNs);
    }

    private void add(final String name, final String unit, final double value)
    {
        results.computeIfAbsent(name, (x) -> new Series(name, unit, new double[rounds])).values()[round] = value;
    }

    private double ratio(final String one, final String other)
    {
        final double[] ratios = new double[rounds];
        Arrays.setAll(ratios, (i) -> results.get(one).values()[i] / results.get(other).values()[i]);
        return new Series("", "", ratios).median();
    }

    private Map<String, Double> ratios()
    {
        final Map<String, Double> ratios = new LinkedHashMap<>();
        ratios.put("READ of 64 B, API / ib_read_lat (bound: at most 1.35)",
            ratio("API, READ of 64 B", "ib_read_lat, READ of 64 B"));
        for (final int length : RECORD_LENGTHS)
        {
            ratios.put("GET / READ of " + length + " B (bound: at most 1.10)", ratio(
                "GET of a record of " + length + " B", "API, READ of " + length + " B, beside GET"));
        }
        ratios.put("getAll / ib_read_bw (bound: at least 1.0)",
            ratio("getAll, records of 64 B", "ib_read_bw -s 64 -l 64"));
        ratios.put("getAll by two threads / ib_read_bw (one thread)",
            ratio("getAll by two threads", "ib_read_bw -s 64 -l 64"));
        return ratios;
    }

    private String text()
    {
        final StringBuilder text = new StringBuilder("rounds: " + rounds + "\n\n");
        results.values().forEach((series) -> text.append(series.line()).append('\n'));
        text.append("\nmedian of the rounds' ratios\n");
        ratios().forEach((name, ratio) -> text.append(String.format(Locale.ROOT, "%-60s %.3f%n", name, ratio)));
        return text.toString();
    }

    private String json()
    {
        final List<String> series = results.values().stream().map(Series::json).toList();
        final List<String> lines = new ArrayList<>();
        ratios().forEach((name, ratio) -> lines.add(String.format(Locale.ROOT, "\"%s\": %.4f", name, ratio)));
        return "{\n  \"rounds\": " + rounds + ",\n  \"series\": [\n    " + String.join(",\n    ", series) +
            "\n  ],\n  \"ratios\": {\n    " + String.join(",\n    ", lines) + "\n  }\n}\n";
    }
}
