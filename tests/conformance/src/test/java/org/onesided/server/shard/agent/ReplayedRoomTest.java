package org.onesided.server.shard.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.server.shard.agent.RequestMessages.*;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.WriteAnswerDecoder;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.server.eviction.Eviction;
import org.onesided.server.shard.apply.CannotApplyException;
import org.onesided.server.shard.proposal.MemoryWait;
import org.onesided.server.snapshot.SnapshotStore;
import org.onesided.server.table.PartMemory;
import org.onesided.server.table.ShardMemory;

/** What is in the log has room: when it is proposed, and when it is read back. */
class ReplayedRoomTest
{
    /** Of which a thirty-second, that a shard keeps free, is less than the longest value that an append makes. */
    private static final long SMALL_MEMORY = 1 << 20;
    private static final long MEMORY = 16 << 20;
    private static final int FILLER_LENGTH = 7000;
    private static final int LONG_LENGTH = 60_000;
    /** Their room is enough for a long value and for what is appended, and not for a second copy of it. */
    private static final int FREED = 10;
    private static final long TINY_MEMORY = 512 << 10;
    private static final long SECOND_MS = 1000;
    private static final int WAITS = 100;

    private final long[] clock = { 1_000_000 };
    private long lastId;

    @TempDir
    private Path directory;

    private SnapshotStore store(final String name)
    {
        return new SnapshotStore(directory.resolve(name), 1, 0, 1);
    }

    private LoggedTable small(final MemoryLog log, final long life, final String name)
    {
        return new LoggedTable(
            log, LoggedTable.ofHeap(SMALL_MEMORY), life, clock, store(name), Eviction.NONE, life);
    }

    /** Memory that comes when the test lets it come. */
    private static final class SlowMemory implements PartMemory
    {
        private static final long STEP = 1 << 20;

        private final long most;
        private long usable = STEP;

        private SlowMemory(final long most)
        {
            this.most = most;
        }

        @Override
        public long usable()
        {
            return usable;
        }

        @Override
        public boolean ensure(final long length)
        {
            return length <= usable;
        }

        @Override
        public long growable()
        {
            return most - usable;
        }

        private void grow()
        {
            usable = Math.min(most, usable + STEP);
        }
    }

    private static Status status(final LoggedTable table, final int session)
    {
        final byte[] answer = table.answer(session);
        assertNotNull(answer);
        return new WriteAnswerDecoder().wrapAndApplyHeader(
            new UnsafeBuffer(answer), 0, new MessageHeaderDecoder()).status();
    }

    private Status write(final LoggedTable table, final byte[] message)
    {
        assertTrue(table.send(0, message));
        table.settle();
        return status(table, 0);
    }

    /** Fills a table, and frees a little of it. */
    private void fill(final LoggedTable table)
    {
        table.recover();
        table.connect(0);
        table.settle();
        int fillers = 0;
        while (write(table, put(++lastId, "f" + fillers, new byte[FILLER_LENGTH])) == Status.OK)
        {
            fillers++;
        }
        assertTrue(fillers > FREED, "fillers=" + fillers);
        for (int i = 0; i < FREED; i++)
        {
            assertEquals(Status.OK, write(table, delete(++lastId, "f" + i)));
        }
    }

    /** Fills a table, and lets a long value of k0 be on its way; session 1 is there, too. */
    private void beginLong(final LoggedTable table)
    {
        fill(table);
        table.connect(1);
        table.send(0, putLarge(++lastId, "k0", LONG_LENGTH));
        table.stepOn();
    }

    private void replay(final MemoryLog log, final LoggedTable first)
    {
        final List<String> digest = first.digest(Digests.keys());
        try (LoggedTable second = small(new MemoryLog(log.entries(), 0), 2, "second"))
        {
            second.recover();
            Digests.assertSame(digest, second.digest(Digests.keys()));
        }
    }

    @Test
    void shouldRefuseAnAppendThatHasNoRoomForASecondCopyOfAValueOnItsWay()
    {
        final MemoryLog log = new MemoryLog();
        try (LoggedTable table = small(log, 1, "first"))
        {
            beginLong(table);
            table.send(1, append(1, "k0", 4000));
            table.stepOn();
            assertNull(table.answer(0), "nothing is committed");
            assertNull(table.answer(1));
            table.settle();
            assertEquals(Status.OK, status(table, 0));
            assertEquals(Status.STORE_FULL, status(table, 1));
            assertTrue(table.describe("k0").startsWith("length=" + LONG_LENGTH + " "), table.describe("k0"));
            replay(log, table);
        }
    }

    @Test
    void shouldLetAnAppendWaitThatMayHaveRoomForASecondCopy()
    {
        final MemoryLog log = new MemoryLog();
        try (LoggedTable table = small(log, 1, "first"))
        {
            beginLong(table);
            table.send(1, put(1, "k0", new byte[100]));
            table.stepOn();
            final int proposals = log.proposals();
            table.send(1, append(2, "k0", 200));
            table.stepOn();
            assertEquals(proposals, log.proposals(), "it does not wait");
            table.settle();
            assertEquals(Status.OK, status(table, 0));
            assertEquals(Status.OK, status(table, 1));
            assertNotNull(table.answer(1));
            assertTrue(table.describe("k0").startsWith("length=300 "), table.describe("k0"));
            replay(log, table);
        }
    }

    @Test
    void shouldLetAppendsFollowEachOtherInOneEntry()
    {
        final MemoryLog log = new MemoryLog();
        try (LoggedTable table = small(log, 1, "first"))
        {
            table.recover();
            table.connect(0);
            table.settle();
            for (int i = 0; i < 5; i++)
            {
                table.send(0, append(++lastId, "k0", 4000));
            }
            table.step();
            assertEquals(1, log.proposals());
            table.settle();
            for (int i = 0; i < 5; i++)
            {
                assertNotNull(table.answer(0));
            }
            assertTrue(table.describe("k0").startsWith("length=20000 "), table.describe("k0"));
            replay(log, table);
        }
    }

    private static byte[] random(final Random random, final long id)
    {
        final String key = "k" + random.nextInt(6);
        return switch (random.nextInt(6))
        {
            case 0, 1 -> putLarge(id, key, 8200 + random.nextInt(LONG_LENGTH - 8200));
            case 2, 3 -> append(id, key, 1 + random.nextInt(4000));
            case 4 -> delete(id, key);
            default -> put(id, "s" + random.nextInt(150), new byte[random.nextInt(3000)]);
        };
    }

    /**
     * Values that are pulled do not move. In a small heap, they cut the room up that a write before them in the log
     * counts on.
     */
    @Test
    void shouldGiveEachWriteRoomAmongValuesThatAreBehindItInTheLog()
    {
        for (int seed = 1; seed <= 30; seed++)
        {
            final Random random = new Random(seed);
            final MemoryLog log = new MemoryLog();
            try (LoggedTable table = new LoggedTable(log, TINY_MEMORY, 1, clock, store("seed" + seed)))
            {
                table.recover();
                table.connect(0);
                table.connect(1);
                final long[] sent = new long[2];
                final long[] answered = new long[2];
                for (int i = 1; i <= 1000; i++)
                {
                    final int session = random.nextInt(2);
                    sent[session] += table.send(session, random(random, sent[session] + 1)) ? 1 : 0;
                    for (int step = random.nextInt(8); step > 0; step--)
                    {
                        table.step();
                    }
                    log.commit(random.nextInt(8) / 7);
                    if (i % 50 == 0)
                    {
                        table.settle();
                    }
                    for (int each = 0; each < 2; each++)
                    {
                        while (table.answer(each) != null)
                        {
                            answered[each]++;
                        }
                    }
                    assertTrue(i % 50 != 0 || sent[0] == answered[0] && sent[1] == answered[1],
                        "writes wait for ever: seed=" + seed + " i=" + i);
                }
            }
        }
    }

    private List<byte[]> entries()
    {
        final MemoryLog log = new MemoryLog();
        try (LoggedTable table = new LoggedTable(log, MEMORY, 1, clock, store("first")))
        {
            table.recover();
            table.connect(0);
            for (int i = 0; i < 20; i++)
            {
                assertEquals(Status.OK, write(table, putLarge(++lastId, "k" + i, 400_000)));
            }
        }
        return log.entries();
    }

    private LoggedTable slow(final List<byte[]> entries, final List<SlowMemory> parts)
    {
        return new LoggedTable(
            new MemoryLog(entries, 0), MEMORY, 2, clock, store("second"), Eviction.NONE, 2, (layout) ->
            {
                parts.add(new SlowMemory(ShardMemory.whole(layout).records().usable()));
                return slow(layout, parts.get(0));
            });
    }

    private static ShardMemory slow(final ShardLayout layout, final PartMemory records)
    {
        final ShardMemory whole = ShardMemory.whole(layout);
        return new ShardMemory(whole.buckets(), whole.overflow(), whole.reserve(), records);
    }

    private static void stepUntilItWaits(final LoggedTable table)
    {
        for (int i = 0; i < 100; i++)
        {
            table.step();
        }
    }

    @Test
    void shouldEndAStartThatGetsNoMemoryForItsLog()
    {
        final List<SlowMemory> parts = new ArrayList<>();
        try (LoggedTable table = slow(entries(), parts))
        {
            stepUntilItWaits(table);
            assertFalse(table.isRecovered());
            clock[0] += TimeUnit.NANOSECONDS.toMillis(MemoryWait.LONGEST_NS) - SECOND_MS;
            stepUntilItWaits(table);
            clock[0] += 2 * SECOND_MS;
            final String message = assertThrows(
                CannotApplyException.class, () -> stepUntilItWaits(table)).getMessage();
            assertTrue(message.contains("memory for the records of the log does not come") &&
                message.contains(" waited=61s: index="), message);
            assertFalse(message.contains("\n"), message);
        }
    }

    @Test
    void shouldGoOnWithAStartWhoseMemoryComesSlowly()
    {
        final List<SlowMemory> parts = new ArrayList<>();
        try (LoggedTable table = slow(entries(), parts))
        {
            for (int i = 0; !table.isRecovered(); i++)
            {
                assertTrue(i < WAITS, "it does not end");
                stepUntilItWaits(table);
                clock[0] += TimeUnit.NANOSECONDS.toMillis(MemoryWait.LONGEST_NS) - SECOND_MS;
                table.step();
                parts.get(0).grow();
            }
            assertEquals(20, table.table().statistics().records());
        }
    }

    /** The index may lack memory, as here. Where the log is read back it may come first, and does not get smaller. */
    @Test
    void shouldLeaveRoomForTheIndexThatTheMostRecordsWanted()
    {
        final int records = 3000;
        try (LoggedTable table = small(new MemoryLog(), 1, "first"))
        {
            table.recover();
            table.connect(0);
            table.settle();
            for (int i = 0; i < records; i++)
            {
                assertEquals(Status.OK, write(table, put(++lastId, "r" + i, new byte[1])));
            }
            for (int i = 0; i < records; i++)
            {
                assertEquals(Status.OK, write(table, delete(++lastId, "r" + i)));
            }
            int fillers = 0;
            while (write(table, put(++lastId, "f" + fillers, new byte[FILLER_LENGTH])) == Status.OK)
            {
                fillers++;
            }
            final long index = 24 * records * 5L / 4;
            final long bytes = (long)fillers * FILLER_LENGTH;
            assertTrue(bytes <= SMALL_MEMORY - SMALL_MEMORY / 32 - index, "bytes=" + bytes + " index=" + index);
            assertTrue(bytes > SMALL_MEMORY / 2, "bytes=" + bytes);
        }
    }
}
