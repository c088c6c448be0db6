package org.onesided.benchmark.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.onesided.benchmark.peers.TurnTable.Asked;
import org.onesided.testing.ServerProcess;

/**
 * Puts while a snapshot is written, and restarts from the log and from a snapshot, all of one table.
 *
 * <p>A restart is the time from the start of the process to its ready line, less that of a start with an empty
 * directory in the same round. Its rate per core divides by the processor time of the process in place of the time on
 * the clock, the compilers' included.
 */
final class SnapshotsAndRestarts
{
    static final String SNAPSHOT = "snapshot";
    static final String RESTART = "restart";

    private static final int CLIENTS = 16;
    private static final String ONE = ", 1 client";
    private static final String MANY = ", 16 clients";
    private static final String ALONE = "puts, always, no snapshot";
    private static final String BESIDE = "puts, always, during a snapshot";
    private static final String SNAPSHOT_RATE = "snapshot under load, records a second";
    private static final String LOG = "restart from the log, records a second";
    private static final String NEWEST = "restart from a snapshot, records a second";
    private static final String CORE = " of processor time";
    private static final double NS_PER_SECOND = 1e9;

    static final List<Asked> ASKED = List.of(
        Asked.most("put during a snapshot / without, 1 client, p99", BESIDE + ONE, ALONE + ONE, Turn::p99Ns, 2),
        Asked.most("put during a snapshot / without, 16 clients, p99", BESIDE + MANY, ALONE + MANY, Turn::p99Ns, 2),
        Asked.least("records a second from the log", LOG, null, 1_000_000),
        Asked.least("records a second of processor time from the log", LOG + CORE, null, 1_000_000),
        Asked.least("records a second from a snapshot", NEWEST, null, 1_000_000),
        Asked.least("records a second of processor time from a snapshot", NEWEST + CORE, null, 1_000_000));

    private final Lab lab;
    private final DurabilitySettings settings;
    private final TurnTable table;
    private final Path data;

    /** What a start took. */
    private record Start(double seconds, double processorSeconds)
    {
    }

    SnapshotsAndRestarts(final Lab lab, final DurabilitySettings settings, final TurnTable table)
    {
        this.lab = lab;
        this.settings = settings;
        this.table = table;
        data = settings.folder().resolve("onesided-restarts");
    }

    void run() throws IOException
    {
        if (!settings.wants(SNAPSHOT) && !settings.wants(RESTART))
        {
            return;
        }
        try (MeasuredStore store = store())
        {
            store.load();
        }
        if (settings.wants(RESTART))
        {
            restarts(LOG);
        }
        try (MeasuredStore store = store())
        {
            if (settings.wants(SNAPSHOT))
            {
                snapshots(store);
            }
            // Only what lies before the older of two snapshots leaves the log.
            for (int i = 0; i < 2; i++)
            {
                Crowd.run(store.puts(1, 1), 1, 1);
                store.snapshot();
            }
        }
        if (settings.wants(RESTART))
        {
            restarts(NEWEST);
        }
    }

    private MeasuredStore store() throws IOException
    {
        return MeasuredStore.start(lab, data, "always", settings.records());
    }

    private void snapshots(final MeasuredStore store) throws IOException
    {
        Crowd.run(store.puts(CLIENTS, 1), 1, settings.warmUpMillis());
        Crowd.run(store.puts(1, 1), 1, settings.warmUpMillis());
        for (int round = 0; round < settings.rounds(); round++)
        {
            snapshot(store, 1, ONE);
            snapshot(store, CLIENTS, MANY);
        }
    }

    private void snapshot(final MeasuredStore store, final int clients, final String name) throws IOException
    {
        settings.settle();
        table.add(ALONE + name, Crowd.run(store.puts(clients, 1), 1, settings.millis()));
        settings.settle();
        try (Crowd crowd = Crowd.start(store.puts(clients, 1), 1, 0))
        {
            final long beginNs = System.nanoTime();
            store.snapshot();
            final double seconds = (System.nanoTime() - beginNs) / NS_PER_SECOND;
            table.add(BESIDE + name, crowd.stop());
            table.add(SNAPSHOT_RATE + name, Turn.rate(settings.records() / seconds));
        }
    }

    private void restarts(final String name) throws IOException
    {
        // Fills the page cache.
        start(data);
        for (int round = 0; round < settings.rounds(); round++)
        {
            final Start empty = start(Files.createTempDirectory(settings.folder(), "empty"));
            final Start full = start(data);
            table.add(name, Turn.rate(settings.records() / (full.seconds() - empty.seconds())));
            table.add(name + CORE,
                Turn.rate(settings.records() / (full.processorSeconds() - empty.processorSeconds())));
        }
    }

    private Start start(final Path directory) throws IOException
    {
        final long beginNs = System.nanoTime();
        try (ServerProcess server = MeasuredStore.server(lab, directory, "always", settings.records()))
        {
            final double seconds = (System.nanoTime() - beginNs) / NS_PER_SECOND;
            final double processorSeconds = ProcessHandle.of(server.pid())
                .flatMap((process) -> process.info().totalCpuDuration())
                .orElseThrow(() -> new IOException("the system does not tell the processor time of a process"))
                .toNanos() / NS_PER_SECOND;
            return new Start(seconds, processorSeconds);
        }
    }
}
