package org.onesided.server.raft;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.server.log.ShardLog;
import org.onesided.server.log.SyncMode;

/** How much memory logs take. docs/durability.md tells these bounds, and advises settings of the JVM by them. */
@Tag("full")
@Timeout(value = 600, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LogMemoryTest
{
    private static final long TABLE = 42;
    private static final long MIB = 1 << 20;
    /** Of all logs together, such as Ratis' classes. */
    private static final long COMMON_HEAP = 16 * MIB;
    private static final long COMMON_DIRECT = 2 * MIB;
    /** Of each log: the entries of its last segment, those on their way, and those that the shard has not taken. */
    private static final long HEAP_OF_LOG = 48 * MIB;
    private static final long DIRECT_OF_LOG = 2 * MIB;
    /** More than a segment. */
    private static final long LOAD_BYTES = 10 * MIB;
    private static final int SHORT_LENGTH = 100;
    private static final int SHORT_ENTRIES = 120_000;
    private static final int COLLECTIONS = 3;
    private static final int REFUSALS = 200;

    @TempDir
    private Path directory;

    private final long heapBefore = heap();
    private final long directBefore = direct();

    private static long heap()
    {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++)
        {
            System.gc();
            least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return least;
    }

    private static long direct()
    {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter((pool) -> pool.getName().equals("direct")).mapToLong(BufferPoolMXBean::getMemoryUsed).sum();
    }

    /** With entries in the logs beyond their last segments. */
    private void check(final String when, final int shards, final long entries)
    {
        final long heap = heap() - heapBefore;
        final long heapBound = COMMON_HEAP + shards * HEAP_OF_LOG + entries * RaftLogs.HEAP_BYTES_OF_ENTRY;
        assertTrue(heap <= heapBound, when + ": heap=" + heap + " bound=" + heapBound);
        final long direct = direct() - directBefore;
        final long directBound = COMMON_DIRECT + shards * DIRECT_OF_LOG;
        assertTrue(direct <= directBound, when + ": direct=" + direct + " bound=" + directBound);
    }

    private RaftLogs open(final int shards) throws Exception
    {
        return RaftLogs.open(
            new RaftLogOptions(directory, TABLE).sync(SyncMode.INTERVAL).reserveBytes(0),
            Collections.nCopies(shards, LogStart.withoutSnapshot(() -> {})));
    }

    private static List<LogUser> users(final RaftLogs logs, final int shards)
    {
        final LogUser[] users = new LogUser[shards];
        for (int i = 0; i < shards; i++)
        {
            users[i] = new LogUser(logs.log(i));
            users[i].awaitReady();
            users[i].continueBehind(users[i].lastNumber());
        }
        return List.of(users);
    }

    /** Mostly short ones, as few writes come in a round, some of many writes, and some with pieces of long values. */
    private static int length(final Random random)
    {
        final int kind = random.nextInt(100);
        return kind < 90 ? 60 + random.nextInt(400) : kind < 98 ? 1_000 + random.nextInt(60_000) :
            ShardLog.MAX_ENTRY_LENGTH - random.nextInt(1_000);
    }

    private static void load(final List<LogUser> users)
    {
        final Random random = new Random(7);
        for (long bytes = 0; bytes < LOAD_BYTES;)
        {
            final int length = length(random);
            users.forEach((user) -> user.await("proposed", () -> user.tryPropose(length)));
            bytes += length;
        }
        users.forEach((user) -> user.awaitNumber(user.proposed() - 1));
    }

    /** Until the log takes no more for a while, as the shard takes nothing. */
    private static void fill(final LogUser user) throws InterruptedException
    {
        int refusals = 0;
        while (refusals < REFUSALS)
        {
            if (!user.tryPropose(ShardLog.MAX_ENTRY_LENGTH))
            {
                Thread.sleep(1);
                refusals++;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void shouldStayBelowTheBoundOfEachShard(final int shards) throws Exception
    {
        try (RaftLogs logs = open(shards))
        {
            final List<LogUser> users = users(logs, shards);
            check("opened", shards, 0);
            load(users);
            check("loaded", shards, 0);
            for (final LogUser user : users)
            {
                fill(user);
            }
            check("full", shards, 0);
            users.forEach((user) -> user.awaitNumber(user.proposed() - 1));
        }
        try (RaftLogs logs = open(shards))
        {
            users(logs, shards);
            check("opened again", shards, 0);
        }
    }

    /** Ratis remembers each entry of all segments, however short it is. So snapshots follow after so many entries. */
    @Test
    void shouldStayBelowTheBoundOfEachEntry() throws Exception
    {
        try (RaftLogs logs = open(1))
        {
            final LogUser user = users(logs, 1).get(0);
            for (int i = 0; i < SHORT_ENTRIES; i++)
            {
                user.await("proposed", () -> user.tryPropose(SHORT_LENGTH));
            }
            user.awaitNumber(user.proposed() - 1);
            check("many entries", 1, SHORT_ENTRIES);
        }
        try (RaftLogs logs = open(1))
        {
            users(logs, 1);
            check("many entries, opened again", 1, SHORT_ENTRIES);
        }
    }
}
