package org.onesided.server.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.onesided.server.log.SyncMode;

/**
 * Logs of Ratis, opened, written, closed and opened again.
 */
class RaftLogsTest
{
    private static final long TABLE = 0x1234_5678_9abcL;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(SyncMode.class)
    void shouldHandEntriesOverInOrderAndAgainAfterAStart(final SyncMode sync) throws Exception
    {
        try (RaftLogs logs = open(options().sync(sync), LogStart.NO_SNAPSHOT, 0, 1))
        {
            final LogUser user = new LogUser(logs.log(0));
            user.awaitReady();
            user.propose(2000, 100);
            assertEquals(2000, user.entries());
            assertEquals(List.of(), user.failures());
        }
        try (RaftLogs logs = open(options().sync(sync), LogStart.NO_SNAPSHOT, 0, 1))
        {
            final LogUser user = new LogUser(logs.log(0));
            user.awaitReady();
            assertEquals(1999, user.lastNumber());
            assertEquals(2000, user.entries());
            user.continueBehind(1999);
            user.propose(10, 100);
        }
    }

    private RaftLogOptions options()
    {
        return new RaftLogOptions(directory, TABLE).reserveBytes(0);
    }

    private static RaftLogs open(final RaftLogOptions options, final long index, final long term, final int shards)
        throws Exception
    {
        final List<LogStart> starts = new ArrayList<>();
        for (int shard = 0; shard < shards; shard++)
        {
            starts.add(new LogStart(term, index, () -> {}));
        }
        return RaftLogs.open(options, starts);
    }
}
