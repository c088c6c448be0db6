package org.onesided.server.shard.agent;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.server.shard.agent.RequestMessages.*;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.onesided.protocol.rpc.codec.ConditionKind;
import org.onesided.protocol.rpc.codec.ExpiryKind;
import org.onesided.server.eviction.Eviction;
import org.onesided.server.snapshot.SnapshotStore;
import org.onesided.testing.TestSize;
import org.onesided.server.table.ShardMemory;

/** A log gives the same table and the same answers again, in other memory, and from a snapshot on. */
class ReplayedLogTest
{
    private static final long MEMORY = 16 << 20;
    private static final long SMALL_MEMORY = 2 << 20;
    private static final long TABLE_ID = 1;
    private static final int REQUESTS = 3000;

    private final long[] clock = { 1_000_000 };

    @TempDir
    private Path directory;

    private SnapshotStore store(final String name)
    {
        return new SnapshotStore(directory.resolve(name), TABLE_ID, 0, 1);
    }

    private static byte[] random(final Random random, final long id)
    {
        final int number = random.nextInt(Digests.KEYS);
        final String key = "k" + number;
        final ExpiryKind time = random.nextBoolean() ? ExpiryKind.NEVER : ExpiryKind.AFTER;
        final long expiry = time == ExpiryKind.NEVER ? 0 : 1 + random.nextInt(2000);
        return switch (random.nextInt(14))
        {
            case 0, 1 -> put(id, key, new byte[random.nextInt(200)]);
            case 2 -> put(id, key, random.nextInt(6000), time, expiry);
            case 3 -> putLarge(id, key, 1 + random.nextInt(200_000), time, expiry);
            case 4 -> putLarge(id, key, 1 + random.nextInt(500_000));
            case 5 -> delete(id, key);
            case 6 -> putIf(id, random.nextBoolean() ? ConditionKind.ABSENT : ConditionKind.PRESENT, 0, key,
                random.nextInt(5000));
            case 7 -> putLargeIf(id, random.nextBoolean() ? ConditionKind.ABSENT : ConditionKind.PRESENT, key,
                1 + random.nextInt(50_000));
            case 8 -> deleteIf(id, ConditionKind.PRESENT, key);
            case 9 -> increment(id, "n" + number, random.nextInt(), 5);
            case 10 -> append(id, "a" + number, random.nextInt(4096));
            case 11 -> touch(id, key, time, expiry);
            case 12 -> get(id, "n" + number);
            default -> ttl(id, key);
        };
    }

    static LongStream seeds()
    {
        return TestSize.seeds(6, 2);
    }

    static LongStream seedsOfEvictions()
    {
        return TestSize.seeds(8, 3);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldGiveTheSameTableAndAnswersAgain(final long seed)
    {
        final MemoryLog log = new MemoryLog();
        final List<String> digest;
        try (LoggedTable table = new LoggedTable(log, MEMORY, 1, clock, store("first")))
        {
            run(table, log, new Random(seed));
            digest = table.digest(Digests.keys());
        }
        Digests.assertSame(digest, Digests.replayed(log.entries(), 0, MEMORY, store("second"), clock));
        Digests.assertSame(digest, Digests.replayed(log.entries(), 0, 3 * MEMORY, store("third"), clock));
        final SnapshotStore store = store("first");
        final long behind = store.newestIndex();
        assertTrue(behind > 0, "there is no snapshot");
        assertTrue(log.purged() > 0 && log.purged() < behind, "the log is kept from the older snapshot on");
        Digests.assertSame(digest, Digests.replayed(log.entries(), behind, 2 * MEMORY, store, clock));
    }

    /** The memory is for a part of the keys, and holds long values and short ones of which many have to leave. */
    @ParameterizedTest
    @MethodSource("seedsOfEvictions")
    void shouldGiveTheSameAgainThoughRecordsLeave(final long seed)
    {
        final MemoryLog log = new MemoryLog();
        final List<String> digest;
        try (LoggedTable table =
            new LoggedTable(log, SMALL_MEMORY, 1, clock, store("first"), Eviction.DENSITY, seed, ShardMemory::whole))
        {
            run(table, log, new Random(seed));
            digest = table.digest(Digests.keys());
            assertTrue(table.table().evictions().forHeap() > 20, "evicted=" + table.table().evictions().forHeap());
        }
        Digests.assertSame(digest, Digests.replayed(
            log.entries(), 0, SMALL_MEMORY, store("second"), clock, Eviction.DENSITY));
        Digests.assertSame(digest, Digests.replayed(log.entries(), 0, MEMORY, store("third"), clock, Eviction.DENSITY));
        final SnapshotStore store = store("first");
        final long behind = store.newestIndex();
        assertTrue(behind > 0, "there is no snapshot");
        Digests.assertSame(digest, Digests.replayed(log.entries(), behind, SMALL_MEMORY, store, clock, Eviction.NONE));
    }

    private void run(final LoggedTable table, final MemoryLog log, final Random random)
    {
        table.recover();
        final long[] ids = new long[LoggedTable.SESSIONS];
        for (int i = 0; i < LoggedTable.SESSIONS; i++)
        {
            table.connect(i);
        }
        for (int i = 0; i < REQUESTS; i++)
        {
            final int session = random.nextInt(LoggedTable.SESSIONS);
            if (random.nextInt(300) == 0)
            {
                table.connect(session);
            }
            table.fillLent(i);
            if (table.send(session, random(random, ids[session] + 1)))
            {
                ids[session]++;
            }
            if (random.nextInt(3) == 0)
            {
                log.commit(1 + random.nextInt(3));
                table.step();
            }
            while (random.nextInt(2) == 0)
            {
                table.step();
            }
            clock[0] += random.nextInt(20) == 0 ? random.nextInt(200) : 0;
            while (table.answer(session) != null)
            {
                // Answers are compared by what the sessions remember.
            }
            if (i == REQUESTS / 3 || i == 2 * REQUESTS / 3)
            {
                // There is more log than a snapshot waits for, but the disk may be slow.
                table.awaitSnapshot();
            }
            if (random.nextInt(200) == 0)
            {
                // The memory that pulls read is about to change.
                table.settle();
            }
        }
        table.settle();
    }
}
