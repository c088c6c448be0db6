package org.onesided.benchmark.peers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.onesided.peers.Arguments;
import org.onesided.peers.Records;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.SlotWord;
import org.onesided.server.table.ShardTable;
import org.onesided.testing.ServerProcess;

/**
 * The systems of a run, with the same records of 16 + 100 bytes each. A peer that is not installed is null.
 *
 * @param server    of onesided.
 * @param ours      a client of it that spins, with the records loaded.
 * @param sleeper   another client of it that waits as clients do by default.
 * @param loaded    how many seconds the client took to load the records.
 * @param copy      the plain copy.
 * @param chronicle Chronicle Map.
 * @param redis     Redis.
 * @param memcached memcached.
 */
record Systems(
    ServerProcess server,
    WorkerProcess ours,
    WorkerProcess sleeper,
    double loaded,
    WorkerProcess copy,
    WorkerProcess chronicle,
    WorkerProcess redis,
    WorkerProcess memcached)
{
    /** How full the heap of a server is, once its records are loaded. */
    static final double FILL = 0.9;

    private static final String PEERS = "org.onesided.peers.";
    private static final long MORE = 1 << 20;
    /** What memcached may take for each record, its slabs and index included. */
    private static final long MEMCACHED_BYTES = 400;
    private static final long MEMCACHED_LEAST = 256L << 20;
    /** Bytes of index for a record: three in each bucket, and as much again at most in buckets that were split. */
    private static final double INDEX_BYTES = 2 * BucketDescriptor.LENGTH / 3.0;

    static Systems start(final Lab lab, final Results results, final Settings settings) throws IOException
    {
        final String load = load(settings.records(), Settings.VALUE_LENGTH);
        final ServerProcess server = server(lab, settings.records(), Settings.VALUE_LENGTH);
        final WorkerProcess ours = lab.own(StoreSubject.class, "server=" + server.address(), "waiting=spinning");
        final Arguments loaded = ours.tell(load);
        final WorkerProcess sleeper = lab.own(StoreSubject.class, "server=" + server.address(), "waiting=default");
        sleeper.tell(attach(settings));
        final WorkerProcess copy = lab.own(CopySubject.class);
        copy.tell(load);
        results.fact("onesided's region in huge pages", ours.tell("memory").text("huge"));
        results.fact("plain copy's records in huge pages", copy.tell("memory").text("huge"));
        final WorkerProcess chronicle = lab.peer(PEERS + "ChronicleMapSubject");
        chronicle.tell(load);

        final Optional<String> redisProgram = found(results, "redis-server");
        WorkerProcess redis = null;
        if (redisProgram.isPresent())
        {
            final PeerServer peer = lab.redis(redisProgram.get());
            results.command(peer.command());
            redis = lab.peer(PEERS + "RedisSubject", "port=" + peer.port());
            redis.tell(load);
        }
        final Optional<String> memcachedProgram = found(results, "memcached");
        WorkerProcess memcached = null;
        if (memcachedProgram.isPresent())
        {
            final PeerServer peer = lab.add(PeerServer.memcached(
                memcachedProgram.get(), MEMCACHED_LEAST + settings.records() * MEMCACHED_BYTES));
            results.command(peer.command());
            memcached = lab.peer(PEERS + "MemcachedSubject", "port=" + peer.port());
            memcached.tell(load);
        }
        return new Systems(
            server, ours, sleeper, Double.parseDouble(loaded.text("seconds")), copy, chronicle, redis,
            memcached);
    }

    private static Optional<String> found(final Results results, final String program)
    {
        final Optional<String> path = PeerServer.find(program);
        if (path.isEmpty())
        {
            results.missing(program);
        }
        return path;
    }

    static String load(final long records, final int valueLength)
    {
        return "load count=" + records + " value=" + valueLength;
    }

    static String attach(final Settings settings)
    {
        return "attach count=" + settings.records() + " value=" + Settings.VALUE_LENGTH;
    }

    /** A server whose heap is {@link #FILL} full with the records. */
    static ServerProcess server(
        final Lab lab, final long records, final int valueLength, final String... arguments) throws IOException
    {
        return lab.server(arguments(records, valueLength, arguments));
    }

    /** What such a server is started with. */
    static List<String> arguments(final long records, final int valueLength, final String... arguments)
    {
        final long padded = SlotWord.granules(ShardTable.recordLength(Records.KEY_LENGTH, valueLength)) *
            SlotWord.GRANULE;
        final long memory = MORE + (long)(records / FILL * (padded + INDEX_BYTES));
        final List<String> all = new ArrayList<>(List.of(
            "--memory", Long.toString(memory), "--shards", "1"));
        all.addAll(List.of(arguments));
        return all;
    }
}
