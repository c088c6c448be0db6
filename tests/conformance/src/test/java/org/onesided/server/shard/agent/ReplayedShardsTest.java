package org.onesided.server.shard.agent;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.server.shard.agent.RequestMessages.*;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.onesided.server.eviction.Eviction;
import org.onesided.server.snapshot.SnapshotException;
import org.onesided.server.snapshot.SnapshotStore;
import org.onesided.testing.TestSize;

/**
 * Shards that evict read their logs back in memory that grows as it does in a server, and have room for all that was
 * there, whichever of them comes first, and however heaps and indexes grew meanwhile.
 */
class ReplayedShardsTest
{
    private static final int STORE_TRIES = 10;
    private static final long MEMORY = 8 << 20;
    private static final int SHARDS = 2;
    private static final long TABLE_ID = 1;
    /** Values with which shards are filled: a few of them more or less are seen at once. */
    private static final int FILLING = 96 << 10;
    private static final int LONGEST = 1200 << 10;
    private static final int REQUESTS = 400;
    private static final int SHORT_KEYS = 60_000;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(120);

    private final long[] clock = { 1_000_000 };
    private final List<MemoryLog> logs = new ArrayList<>();
    private final List<Set<String>> keys = new ArrayList<>();
    private final long[] ids = new long[SHARDS];

    @TempDir
    private Path directory;

    private SnapshotStore store(final String name)
    {
        SnapshotException failure = null;
        for (int i = 0; i < STORE_TRIES; i++)
        {
            try
            {
                return new SnapshotStore(directory.resolve(name), TABLE_ID, 0, 1);
            }
            catch (final SnapshotException e)
            {
                // The run that goes on has removed an old snapshot meanwhile, which no other server does.
                failure = e;
            }
        }
        throw failure;
    }

    /** A run of shards, that is, their tables in one memory. */
    private final class Tables implements AutoCloseable
    {
        private final GrowingShards memory = new GrowingShards(MEMORY, SHARDS);
        private final List<LoggedTable> tables = new ArrayList<>();

        Tables(final List<MemoryLog> of, final String name, final long life)
        {
            for (int i = 0; i < SHARDS; i++)
            {
                tables.add(new LoggedTable(
                    of.get(i), memory.place(i), life, clock, store(name + i), Eviction.DENSITY, life));
            }
        }

        @Override
        public void close()
        {
            CloseHelper.closeAll(tables);
            memory.close();
        }
    }

    private Tables first()
    {
        for (int i = 0; i < SHARDS; i++)
        {
            logs.add(new MemoryLog());
            keys.add(new TreeSet<>());
        }
        final Tables run = new Tables(logs, "first", 1);
        run.tables.forEach((table) ->
        {
            table.recover();
            table.connect(0);
        });
        return run;
    }

    /** Sends a request, and waits until it is answered. */
    private void execute(final Tables run, final int shard, final byte[] request)
    {
        final LoggedTable table = run.tables.get(shard);
        final long endNs = System.nanoTime() + PATIENCE_NS;
        assertTrue(table.send(0, request), "a request too many");
        while (table.answer(0) == null)
        {
            assertTrue(System.nanoTime() - endNs < 0, "no answer: shard=" + shard + " id=" + ids[shard]);
            logs.get(shard).commit(Integer.MAX_VALUE);
            table.step();
        }
    }

    private void putLong(final Tables run, final int shard, final String key, final int length)
    {
        keys.get(shard).add(key);
        execute(run, shard, putLarge(++ids[shard], key, length));
    }

    private void putShort(final Tables run, final int shard, final String key, final int length)
    {
        keys.get(shard).add(key);
        execute(run, shard, put(++ids[shard], key, new byte[length]));
    }

    private void fill(final Tables run)
    {
        for (int i = 0; i < 2 * MEMORY / SHARDS / FILLING; i++)
        {
            for (int shard = 0; shard < SHARDS; shard++)
            {
                putLong(run, shard, "fill" + i, FILLING);
            }
        }
    }

    /** Values of all lengths, so that the heap is scattered, and has long ones to make room for. */
    private void scatter(final Tables run, final int shard, final Random random)
    {
        for (int i = 0; i < REQUESTS; i++)
        {
            final String key = "s" + random.nextInt(100);
            switch (random.nextInt(8))
            {
                case 0 -> putLong(run, shard, key, 1 + random.nextInt(LONGEST));
                case 1, 2 -> putLong(run, shard, key, 1 + random.nextInt(FILLING));
                case 3 -> execute(run, shard, delete(++ids[shard], "fill" + random.nextInt(80)));
                default -> putShort(run, shard, key, random.nextInt(6000));
            }
        }
    }

    private void assertReplayed(final Tables run, final String name, final boolean isBehindSnapshot)
    {
        final List<List<String>> digests = new ArrayList<>();
        for (int i = 0; i < SHARDS; i++)
        {
            run.tables.get(i).settle();
            digests.add(run.tables.get(i).digest(List.copyOf(keys.get(i))));
        }
        for (int begin = 0; begin < SHARDS; begin++)
        {
            final List<MemoryLog> again = new ArrayList<>();
            for (int i = 0; i < SHARDS; i++)
            {
                final long behind = isBehindSnapshot ? Math.max(0, store(name + i).newestIndex()) : 0;
                again.add(new MemoryLog(logs.get(i).entries(), behind));
            }
            try (Tables replayed = new Tables(again, isBehindSnapshot ? name : name + "again" + begin, 2 + begin))
            {
                for (int i = 0; i < SHARDS; i++)
                {
                    final int shard = (begin + i) % SHARDS;
                    replayed.tables.get(shard).recover();
                }
                for (int i = 0; i < SHARDS; i++)
                {
                    Digests.assertSame(digests.get(i), replayed.tables.get(i).digest(List.copyOf(keys.get(i))));
                }
            }
        }
    }

    static LongStream seeds()
    {
        return TestSize.seeds(10, 1);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldHaveRoomForAShardHoweverScatteredAnotherIs(final long seed)
    {
        try (Tables run = first())
        {
            fill(run);
            scatter(run, 0, new Random(seed));
            assertReplayed(run, "first", false);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldHaveRoomWhenAllAreScattered(final long seed)
    {
        try (Tables run = first())
        {
            final Random random = new Random(seed);
            for (int i = 0; i < 3; i++)
            {
                for (int shard = 0; shard < SHARDS; shard++)
                {
                    scatter(run, shard, random);
                }
            }
            assertReplayed(run, "first", false);
            assertReplayed(run, "first", true);
        }
    }

    static Stream<Arguments> orders()
    {
        return TestSize.first(1, List.of(
            Arguments.of(true, 100), Arguments.of(false, 1), Arguments.of(true, 1), Arguments.of(false, 100)));
    }

    /** The index grows for short values, and then the heap is for long ones; or the other way round. */
    @ParameterizedTest
    @MethodSource("orders")
    void shouldHaveRoomThoughTheIndexGrewFirst(final boolean isShortFirst, final int length)
    {
        try (Tables run = first())
        {
            for (int i = 0; i < 2; i++)
            {
                if (isShortFirst == (i == 0))
                {
                    for (int number = 0; number < SHORT_KEYS; number++)
                    {
                        putShort(run, 0, "k" + number, length);
                    }
                }
                else
                {
                    fill(run);
                    scatter(run, 0, new Random(length));
                }
            }
            assertReplayed(run, "first", false);
            assertReplayed(run, "first", true);
        }
    }

    /**
     * Long values have all the memory when many short ones come and take their place: the index gets little. Then long
     * ones come again. Where the index is loaded from a snapshot, it is there before these, and must leave them their
     * room.
     */
    @Test
    void shouldHaveRoomThoughTheIndexGotLittle()
    {
        try (Tables run = first())
        {
            fill(run);
            for (int number = 0; number < SHORT_KEYS / 3; number++)
            {
                putShort(run, 0, "k" + number, 1);
            }
            final int shortKeys = logs.get(0).entries().size();
            final long endNs = System.nanoTime() + PATIENCE_NS;
            while (run.tables.get(0).newestSnapshot() < shortKeys)
            {
                assertTrue(System.nanoTime() - endNs < 0, "no snapshot");
                putShort(run, 0, "changing", 6000);
            }
            for (int i = 0; i < MEMORY / SHARDS / FILLING - 8; i++)
            {
                putLong(run, 0, "again" + i, FILLING);
            }
            assertReplayed(run, "first", true);
        }
    }
}
