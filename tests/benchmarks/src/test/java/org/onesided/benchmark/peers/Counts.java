package org.onesided.benchmark.peers;

import java.io.IOException;
import org.onesided.peers.Arguments;

/**
 * What is counted and not timed: READs per GET, memory per record; and how fast records are loaded.
 */
final class Counts
{
    private static final double READS_TARGET = 1.02;
    private static final double MIX_TARGET = 1.05;
    private static final double IMPORT_TARGET = 500_000;

    private final Lab lab;
    private final Results results;
    private final Settings settings;
    private final Systems systems;

    Counts(final Lab lab, final Results results, final Settings settings, final Systems systems)
    {
        this.lab = lab;
        this.results = results;
        this.settings = settings;
        this.systems = systems;
    }

    void run() throws IOException
    {
        final Arguments memory = systems.ours().tell("memory");
        final double fill = (double)memory.number("used") / memory.number("heap");
        results.add(Figure.reported("heap in use when the records are loaded", fill * 100, "%"));
        results.add(Figure.atLeast(
            "records loaded by one client with putAll of 1000, client and server on two cores",
            settings.records() / systems.loaded(), "/s", IMPORT_TARGET));
        final Arguments client = readsPerGet();
        memory(memory, client);
    }

    private Arguments readsPerGet() throws IOException
    {
        final WorkerProcess one = client();
        final Arguments attached = one.tell(Systems.attach(settings));
        final WorkerProcess other = client();
        other.tell(Systems.attach(settings));
        final String arguments = " count=" + settings.records() + " operations=" + settings.records();
        final Arguments lookups = one.tell("lookups seed=1" + arguments);
        results.add(Figure.atMost(
            "READs per GET after warmUp(), 9 hits to 1 miss", perGet(lookups.number("reads"), lookups.number("gets")),
            "", READS_TARGET));
        final String mix = "mix seed=%d" + arguments;
        one.begin(String.format(mix, 1));
        other.begin(String.format(mix, 2));
        final Arguments first = one.answer("mix");
        final Arguments second = other.answer("mix");
        results.add(Figure.atMost(
            "READs per GET under YCSB's workload A by two clients",
            perGet(first.number("reads") + second.number("reads"), first.number("gets") + second.number("gets")),
            "", MIX_TARGET));
        return attached;
    }

    private WorkerProcess client() throws IOException
    {
        return lab.own(StoreSubject.class, "server=" + systems.server().address(), "waiting=default");
    }

    private static double perGet(final long reads, final long gets)
    {
        return (double)reads / gets;
    }

    private void memory(final Arguments ours, final Arguments client) throws IOException
    {
        final double records = ours.number("records");
        final double perRecord = (ours.number("index") + ours.number("heap")) / records;
        results.add(Figure.reported("onesided: index", ours.number("index") / records, "bytes/record"));
        results.add(Figure.reported("onesided: heap", ours.number("heap") / records, "bytes/record"));
        results.add(Figure.reported("onesided: heap in use", ours.number("used") / records, "bytes/record"));
        results.add(Figure.reported(
            "onesided: mirror of a client", 64 * client.number("buckets") / records, "bytes/record"));
        if (systems.memcached() != null)
        {
            final Arguments theirs = systems.memcached().tell("memory");
            final double items = theirs.number("records");
            final double bytes = (theirs.number("bytes") + theirs.number("index")) / items;
            final double slabs = (theirs.number("slabs") + theirs.number("index")) / items;
            final double inUse = (ours.number("index") + ours.number("used")) / records;
            // Less is asked for, and the same is not less.
            final double less = Math.nextDown(1.0);
            memory("memory per record / memcached's bytes and hash table", perRecord, bytes, less);
            memory("memory per record / memcached's slab pages and hash table", perRecord, slabs, less);
            memory("memory in use per record / memcached's bytes and hash table", inUse, bytes, Double.NaN);
        }
        if (systems.redis() != null)
        {
            final Arguments theirs = systems.redis().tell("memory");
            results.add(Figure.reported(
                "Redis: used_memory_dataset", (double)theirs.number("used") / theirs.number("records"),
                "bytes/record"));
        }
    }

    private void memory(final String name, final double ours, final double theirs, final double target)
    {
        final double ratio = ours / theirs;
        results.add(new Comparison(
            name, ours, theirs, "bytes", new Spread(ratio, ratio, ratio), target));
    }
}
