package org.onesided.benchmark.peers;

import java.util.List;
import org.onesided.peers.Draw;

/**
 * What threads do with the records of a system.
 *
 * @param name      for tables.
 * @param threads   that do it at the same time.
 * @param updates   percent of the operations that put; the others look up.
 * @param isZipfian whether few records are asked for often, as by YCSB, or all equally.
 * @param batch     operations that are timed together.
 */
record Workload(String name, int threads, int updates, boolean isZipfian, int batch)
{
    static final String GET = "GET, 1 client";
    static final String PUT = "put, 1 client";
    static final String PUTS = "put, " + ClustersSettings.MANY_THREADS + " clients";
    static final String YCSB_B = "YCSB B";
    static final String YCSB_A = "YCSB A";

    /** As in benchmarks.md: the clock would take a tenth of a lookup. */
    private static final int BATCH = 16;
    private static final int ALL = 100;
    private static final int FEW = 5;
    private static final int HALF = 50;

    static List<Workload> all(final int threads)
    {
        return List.of(
            new Workload(GET, 1, 0, false, BATCH),
            new Workload(PUT, 1, ALL, false, 1),
            new Workload(PUTS, ClustersSettings.MANY_THREADS, ALL, false, 1),
            new Workload(YCSB_B, threads, FEW, true, 1),
            new Workload(YCSB_A, threads, HALF, true, 1));
    }

    /** Whether it looks up and puts. */
    boolean isMixed()
    {
        return updates > 0 && updates < ALL;
    }

    /** Lookups of other systems are part of YCSB's workloads; these are compared with those of a server alone. */
    boolean isFor(final ComparedSystem system)
    {
        return !name.equals(GET) || system instanceof StoreCluster || system instanceof StoreServer;
    }

    Draw draw(final long records, final long seed)
    {
        return isZipfian ? Draw.zipfian(records, seed) : Draw.uniform(records, seed);
    }
}
