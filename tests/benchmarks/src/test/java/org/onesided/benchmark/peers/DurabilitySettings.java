package org.onesided.benchmark.peers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * How much of a durability run is measured.
 *
 * @param folder       of all that the run writes, on the disk that is measured.
 * @param rounds       turns of each.
 * @param millis       of a turn.
 * @param warmUpMillis before the rounds.
 * @param records      of the table that is written as a snapshot and read back.
 * @param only         parts that are measured; all if it is empty.
 */
record DurabilitySettings(Path folder, int rounds, int millis, int warmUpMillis, long records, List<String> only)
{
    /** Records that puts and lookups choose from. */
    static final long PUT_RECORDS = 100_000;

    boolean wants(final String part)
    {
        return only.isEmpty() || only.contains(part);
    }

    /** Lets the disk come to rest, so that no turn waits for what an earlier one has left in the page cache. */
    void settle() throws IOException
    {
        PeerServer.output(List.of("sync", "-f", folder.toString()));
    }
}
