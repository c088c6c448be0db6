package org.onesided.benchmark.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.onesided.benchmark.peers.TurnTable.Asked;

/**
 * Puts of 100 bytes to stores on disk and in memory, beside what the disk itself takes; and lookups beside puts. All
 * systems run at the same time and take turns.
 */
final class PutsOnDisk
{
    static final String DISK = "disk";
    static final String PUTS = "puts";
    static final String REDIS = "redis";
    static final String ETCD = "etcd";
    static final String GETS = "gets";

    private static final String FORCE = "fdatasync of 116 bytes";
    private static final String ALWAYS = "onesided, --sync always";
    private static final String INTERVAL = "onesided, --sync interval";
    private static final String MEMORY = "onesided, no --data";
    private static final String REDIS_ALWAYS = "Redis, appendfsync always";
    private static final String REDIS_EVERYSEC = "Redis, appendfsync everysec";
    private static final String ETCD_MEMBER = "etcd, JSON gateway";
    private static final String ONE = ": 1 client";
    private static final String MANY = ": 16 clients";
    private static final String BATCHES = ": 16 clients, batches of 16";
    private static final String GET = ": GET beside 500 puts a second";
    private static final int CLIENTS = 16;
    private static final int BATCH = 16;
    /** A session of its own for lookups. */
    private static final int READER = CLIENTS;
    private static final long PAUSE_NS = 2_000_000;
    /** From here on the bound for one client holds: below it, the store's own work decides. */
    private static final double LEAST_FORCE_NS = 100_000;

    static final List<Asked> ASKED = List.of(
        Asked.most("put with always, 1 client / fdatasync, p50", ALWAYS + ONE, FORCE, Turn::p50Ns, 3),
        Asked.least("puts a second with always, 16 clients, batches of 16", ALWAYS + BATCHES, null, 200_000),
        Asked.least("always / Redis always, 1 client, puts a second", ALWAYS + ONE, REDIS_ALWAYS + ONE, 1),
        Asked.least("always / Redis always, 16 clients, puts a second", ALWAYS + MANY, REDIS_ALWAYS + MANY, 1.5),
        Asked.least("always / Redis always, 16 clients, batches of 16, puts a second", ALWAYS + BATCHES,
            REDIS_ALWAYS + BATCHES, 1.5),
        Asked.least("interval / Redis everysec, 1 client, puts a second", INTERVAL + ONE, REDIS_EVERYSEC + ONE, 1),
        Asked.least("interval / Redis everysec, 16 clients, puts a second", INTERVAL + MANY, REDIS_EVERYSEC + MANY,
            1.5),
        Asked.least("interval / Redis everysec, 16 clients, batches of 16, puts a second", INTERVAL + BATCHES,
            REDIS_EVERYSEC + BATCHES, 1.5),
        Asked.least("always / etcd, 1 client, puts a second", ALWAYS + ONE, ETCD_MEMBER + ONE, 1),
        Asked.least("always / etcd, 16 clients, puts a second", ALWAYS + MANY, ETCD_MEMBER + MANY, 1.5),
        Asked.most("GET beside puts with always / without --data, p50", ALWAYS + GET, MEMORY + GET, Turn::p50Ns,
            1.05));

    private final Lab lab;
    private final DurabilitySettings settings;
    private final TurnTable table;
    private final List<Turns> turns = new ArrayList<>();

    /** Measures for some milliseconds. */
    private interface Measurement
    {
        Turn measure(long millis) throws IOException;
    }

    private record Turns(String name, Measurement measurement)
    {
    }

    PutsOnDisk(final Lab lab, final DurabilitySettings settings, final TurnTable table)
    {
        this.lab = lab;
        this.settings = settings;
        this.table = table;
    }

    void run() throws IOException
    {
        if (settings.wants(DISK))
        {
            final ForcedFile file = lab.add(ForcedFile.create(settings.folder().resolve("forced"),
                MeasuredStore.KEY_LENGTH + MeasuredStore.VALUE_LENGTH));
            turns.add(new Turns(FORCE, file::measure));
        }
        addStores();
        if (settings.wants(REDIS))
        {
            addRedis(REDIS_ALWAYS, "always");
            addRedis(REDIS_EVERYSEC, "everysec");
        }
        if (settings.wants(ETCD))
        {
            addEtcd();
        }
        for (final Turns each : turns)
        {
            each.measurement().measure(settings.warmUpMillis());
        }
        for (int round = 0; round < settings.rounds(); round++)
        {
            for (final Turns each : turns)
            {
                settings.settle();
                table.add(each.name(), each.measurement().measure(settings.millis()));
            }
        }
    }

    private void addStores() throws IOException
    {
        if (!settings.wants(PUTS) && !settings.wants(GETS))
        {
            return;
        }
        final MeasuredStore always = store("always");
        final MeasuredStore memory = store(null);
        if (settings.wants(PUTS))
        {
            addPuts(ALWAYS, always);
            addPuts(INTERVAL, store("interval"));
            addPuts(MEMORY, memory);
        }
        if (settings.wants(GETS))
        {
            turns.add(new Turns(MEMORY + GET, (millis) -> gets(memory, millis)));
            turns.add(new Turns(ALWAYS + GET, (millis) -> gets(always, millis)));
        }
    }

    private MeasuredStore store(final String sync) throws IOException
    {
        final MeasuredStore store = MeasuredStore.start(
            lab, sync == null ? null : settings.folder().resolve("onesided-" + sync), sync,
            DurabilitySettings.PUT_RECORDS);
        store.load();
        return store;
    }

    private void addPuts(final String name, final MeasuredStore store)
    {
        turns.add(new Turns(name + ONE, (millis) -> Crowd.run(store.puts(1, 1), 1, millis)));
        turns.add(new Turns(name + MANY, (millis) -> Crowd.run(store.puts(CLIENTS, 1), 1, millis)));
        turns.add(new Turns(name + BATCHES, (millis) -> Crowd.run(store.puts(CLIENTS, BATCH), BATCH, millis)));
    }

    /** Puts are as many on both sides, since their rate changes what lookups find in the processor's caches. */
    private static Turn gets(final MeasuredStore store, final long millis) throws IOException
    {
        try (Crowd writer = Crowd.start(store.puts(1, 1), 1, PAUSE_NS))
        {
            final Turn turn = Crowd.run(List.of(store.get(READER)), 1, millis);
            writer.stop();
            return turn;
        }
    }

    private void addRedis(final String name, final String fsync) throws IOException
    {
        final Optional<String> server = PeerServer.find("redis-server");
        final Optional<String> benchmark = PeerServer.find("redis-benchmark");
        if (server.isEmpty() || benchmark.isEmpty())
        {
            System.out.println("left out, since redis-server and redis-tools are not installed: " + name);
            return;
        }
        final Path directory = Files.createDirectory(settings.folder().resolve("redis-" + fsync));
        final RedisOnDisk redis = RedisOnDisk.start(
            lab, fsync, directory, DurabilitySettings.PUT_RECORDS, server.get(), benchmark.get());
        turns.add(new Turns(name + ONE, (millis) -> redis.measure(1, 1, millis)));
        turns.add(new Turns(name + MANY, (millis) -> redis.measure(CLIENTS, 1, millis)));
        turns.add(new Turns(name + BATCHES, (millis) -> redis.measure(CLIENTS, BATCH, millis)));
    }

    private void addEtcd() throws IOException
    {
        final Optional<String> program = PeerServer.find("etcd");
        if (program.isEmpty())
        {
            System.out.println("left out, since etcd-server is not installed: etcd");
            return;
        }
        final EtcdOnDisk etcd = EtcdOnDisk.start(
            lab, settings.folder().resolve("etcd"), DurabilitySettings.PUT_RECORDS, program.get());
        turns.add(new Turns(ETCD_MEMBER + ONE, (millis) -> etcd.measure(1, millis)));
        turns.add(new Turns(ETCD_MEMBER + MANY, (millis) -> etcd.measure(CLIENTS, millis)));
    }

    /** What a reader must know beside the bounds. */
    static void printRemarks(final TurnTable table)
    {
        if (table.has(FORCE) && table.median(FORCE, Turn::p50Ns) < LEAST_FORCE_NS)
        {
            System.out.println("The bound on puts beside fdatasync holds where that takes 100 µs or more; " +
                "this disk is faster.");
        }
    }
}
