package org.onesided.benchmark.peers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * How much of a run of {@link ClustersBenchmark} is measured.
 *
 * @param folder       of all that the run writes.
 * @param device       that clients of onesided reach its servers by.
 * @param partitions   of the cluster, and shards of the server alone.
 * @param rounds       turns of each.
 * @param millis       of a turn.
 * @param warmUpMillis before the rounds.
 * @param records      that each system has.
 * @param threads      of YCSB's workloads.
 * @param idleSeconds  for which nobody uses the systems at the end, or 0.
 * @param only         systems that are measured.
 */
record ClustersSettings(
    Path folder, String device, int partitions, int rounds, long millis, long warmUpMillis, long records, int threads,
    int idleSeconds, List<String> only)
{
    /** Clients of the workload with many. */
    static final int MANY_THREADS = 16;

    boolean wants(final String system)
    {
        return only.contains(system);
    }

    /** Lets the disk come to rest, so that no turn waits for what an earlier one has left in the page cache. */
    void settle() throws IOException
    {
        PeerServer.output(List.of("sync", "-f", folder.toString()));
    }
}
