package org.onesided.server.shard.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.server.shard.agent.RequestMessages.*;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.protocol.rpc.codec.ConditionKind;
import org.onesided.protocol.rpc.codec.GetAnswerDecoder;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.WriteAnswerDecoder;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.server.eviction.Eviction;
import org.onesided.server.log.EntryDescriptor;
import org.onesided.server.log.ItemKind;
import org.onesided.server.shard.apply.CannotApplyException;
import org.onesided.server.shard.proposal.MemoryWait;
import org.onesided.server.snapshot.SnapshotStore;
import org.onesided.server.table.PartMemory;
import org.onesided.server.table.ShardMemory;
import org.onesided.server.table.ShardTable;

/** Records leave a table with a log when the log says so, in front of what needs their room. */
class LoggedEvictionTest
{
    private static final long MEMORY = 4 << 20;
    private static final long TABLE_ID = 1;
    private static final int LENGTH = 5000;
    /** More than fit. */
    private static final int MANY = 2000;
    private static final int OVERFLOW_BUCKETS = 4;
    private static final int LONG = 100_000;
    /** A few fit. */
    private static final int LONGEST = 700_000;
    private static final int NEW_KEYS = 40;

    private final long[] clock = { 1_000_000 };
    private final MemoryLog log = new MemoryLog();
    /** All that were put. */
    private final Set<String> keys = new LinkedHashSet<>();
    private long id;
    /** Of the second session. */
    private long otherId;
    private long answered;

    @TempDir
    private Path directory;

    private SnapshotStore store(final String name)
    {
        return new SnapshotStore(directory.resolve(name), TABLE_ID, 0, 1);
    }

    private LoggedTable table()
    {
        return table(ShardMemory::whole);
    }

    private LoggedTable table(final Function<ShardLayout, ShardMemory> memory)
    {
        return new LoggedTable(log, MEMORY, 1, clock, store("first"), Eviction.DENSITY, 1, memory);
    }

    /** An index that gets no more memory: it stays as long as it is first, with a few overflow buckets. */
    private static ShardMemory starved(final ShardLayout layout)
    {
        final ShardMemory whole = ShardMemory.whole(layout);
        return new ShardMemory(
            PartMemory.whole(layout.firstBuckets() * (long)BucketDescriptor.LENGTH),
            PartMemory.whole(OVERFLOW_BUCKETS * (long)BucketDescriptor.LENGTH), whole.reserve(), whole.records());
    }

    private static Status status(final byte[] answer)
    {
        assertNotNull(answer);
        return new WriteAnswerDecoder().wrapAndApplyHeader(
            new UnsafeBuffer(answer), 0, new MessageHeaderDecoder()).status();
    }

    private static Status found(final byte[] answer)
    {
        assertNotNull(answer);
        return new GetAnswerDecoder().wrapAndApplyHeader(
            new UnsafeBuffer(answer), 0, new MessageHeaderDecoder()).status();
    }

    /** Puts more than fit. */
    private void fill(final LoggedTable table)
    {
        table.recover();
        table.connect(0);
        putAll(table, MANY, LENGTH);
        settle(table);
    }

    private void putAll(final LoggedTable table, final int count, final int length)
    {
        for (int i = 0; i < count; i++)
        {
            send(table, put(id + 1, key("f" + i), new byte[length]));
        }
    }

    private void send(final LoggedTable table, final byte[] request)
    {
        while (!table.send(0, request))
        {
            log.commit(1);
            table.step();
            takeAnswers(table);
        }
        id++;
    }

    /** Lets all be done that was sent. A long value may leave again for the next short one. */
    private void settle(final LoggedTable table)
    {
        table.settle();
        takeAnswers(table);
        assertEquals(id, answered);
    }

    private void takeAnswers(final LoggedTable table)
    {
        for (byte[] answer = table.answer(0); answer != null; answer = table.answer(0))
        {
            assertEquals(Status.OK, status(answer));
            answered++;
        }
    }

    /** Remembers a key of the test. */
    private String key(final String key)
    {
        keys.add(key);
        return key;
    }

    private void assertReplayed(final LoggedTable table)
    {
        assertReplayed(table, ShardMemory::whole);
    }

    private void assertReplayed(final LoggedTable table, final Function<ShardLayout, ShardMemory> memory)
    {
        final List<String> digest = table.digest(List.copyOf(keys));
        try (LoggedTable other = new LoggedTable(
            new MemoryLog(log.entries(), 0), MEMORY, 2, clock, store("second"), Eviction.DENSITY, 3,
            memory))
        {
            other.recover();
            Digests.assertSame(digest, other.digest(List.copyOf(keys)));
        }
    }

    @Test
    void shouldTakeFarMorePutsThanFit()
    {
        try (LoggedTable table = table())
        {
            fill(table);
            assertTrue(table.table().recordCount() < MANY / 2, "records=" + table.table().recordCount());
            assertEquals(MANY, table.table().recordCount() + table.table().evictions().forHeap());
            assertEquals(0, table.shard().metrics().roomWaits());
            assertReplayed(table);
        }
    }

    @Test
    void shouldProposeWhatLeavesInTheEntryOfTheWrite()
    {
        try (LoggedTable table = table())
        {
            fill(table);
            final long before = table.table().recordCount();
            final int entries = log.entries().size();
            table.send(0, put(++id, key("new"), new byte[LENGTH]));
            table.step();
            assertEquals(before, table.table().recordCount(), "nothing leaves before it is committed");
            assertEquals(1, log.proposals());
            log.commit(1);
            table.step();
            assertEquals(Status.OK, status(table.answer(0)));
            assertNotEquals("absent", table.describe("new"));
            assertEquals(entries + 1, log.entries().size());
        }
    }

    @Test
    void shouldLetRecordsLeaveOnceForALongValue()
    {
        try (LoggedTable table = table())
        {
            fill(table);
            final long before = table.table().evictions().bytes();
            table.send(0, putLarge(++id, key("long"), 1 << 20));
            table.stepOn();
            assertNull(table.answer(0));
            log.commit(Integer.MAX_VALUE);
            table.stepOn();
            settle(table);
            assertNotEquals("absent", table.describe("long"));
            final long bytes = table.table().evictions().bytes() - before;
            assertTrue(bytes > (1 << 20) - 4 * LENGTH && bytes < (1 << 20) + 4 * LENGTH, "bytes=" + bytes);
            assertReplayed(table);
        }
    }

    @Test
    void shouldGoOnWithShortValuesWhileRoomIsMadeForALongOne()
    {
        try (LoggedTable table = table())
        {
            fill(table);
            table.send(0, putLarge(++id, key("long"), 2 << 20));
            table.step();
            putAll(table, 100, LENGTH - 1);
            settle(table);
            assertReplayed(table);
        }
    }

    @Test
    void shouldEvictAnewWhatWasLostWithTheLog()
    {
        try (LoggedTable table = table())
        {
            fill(table);
            table.send(0, putLarge(++id, key("long"), 1 << 20));
            table.send(0, put(++id, key("short"), new byte[LENGTH]));
            table.stepOn();
            log.fail();
            table.step();
            log.reopen();
            table.stepOn();
            table.settle();
            while (table.answer(0) != null)
            {
                // What was lost is refused.
                answered++;
            }
            table.send(0, putLarge(++id, key("long2"), 1 << 20));
            table.send(0, put(++id, key("short2"), new byte[LENGTH]));
            settle(table);
            assertReplayed(table);
        }
    }

    /** There are fewer slots than keys. */
    @Test
    void shouldHaveASlotForEachKeyThoughTheIndexGetsNoMemory()
    {
        try (LoggedTable table = table(LoggedEvictionTest::starved))
        {
            table.recover();
            table.connect(0);
            putAll(table, MANY, 1);
            settle(table);
            final ShardTable filled = table.table();
            assertEquals(0, filled.evictions().forHeap());
            assertNotEquals(0, filled.evictions().forIndex());
            assertEquals(MANY, filled.recordCount() + filled.evictions().forIndex());
            assertReplayed(table, LoggedEvictionTest::starved);
        }
    }

    @Test
    void shouldHaveASlotForALongValueThoughTheIndexGetsNoMemory()
    {
        try (LoggedTable table = table(LoggedEvictionTest::starved))
        {
            table.recover();
            table.connect(0);
            putAll(table, MANY, 1);
            settle(table);
            for (int i = 0; i < OVERFLOW_BUCKETS * 10; i++)
            {
                table.send(0, putLarge(++id, key("l" + i), 10_000));
                settle(table);
                assertNotEquals("absent", table.describe("l" + i));
            }
            assertReplayed(table, LoggedEvictionTest::starved);
        }
    }

    /** A key whose record is on its way out needs a slot of its own: another key was promised that of the record. */
    @Test
    void shouldHaveASlotForAKeyWhoseRecordIsOnItsWayOut()
    {
        try (LoggedTable table = table(LoggedEvictionTest::starved))
        {
            table.recover();
            table.connect(0);
            putAll(table, MANY, 1);
            settle(table);
            int leavingCount = 0;
            for (int i = 0; i < NEW_KEYS; i++)
            {
                table.send(0, put(++id, key("n" + i), new byte[1]));
                table.step();
                final List<String> leaving = keys.stream().filter(table::isLeaving).toList();
                for (final String again : leaving)
                {
                    table.send(0, i % 2 == 0 ? put(++id, again, new byte[2]) : putLarge(++id, again, 10_000));
                    table.stepOn();
                }
                settle(table);
                leaving.forEach((again) -> assertNotEquals("absent", table.describe(again)));
                leavingCount += leaving.size();
            }
            assertNotEquals(0, leavingCount);
            assertReplayed(table, LoggedEvictionTest::starved);
        }
    }

    @Test
    void shouldHaveASlotForEachOfManyKeysOfOneBucket()
    {
        try (LoggedTable table = table())
        {
            table.recover();
            table.connect(0);
            for (long number = 0; id < 4 * BucketDescriptor.MAX_CHAIN_LENGTH * BucketDescriptor.SLOT_COUNT; number++)
            {
                if (table.isInFirstBucket("c" + number))
                {
                    send(table, put(id + 1, key("c" + number), new byte[1]));
                }
            }
            settle(table);
            assertNotEquals(0, table.table().evictions().forIndex());
            assertReplayed(table);
        }
    }

    /** A record that is lent stays in the heap, so one on its way out is not lent; lookups do not wait for a log. */
    @Test
    void shouldLendWhatIsOnItsWayOutOnlyWhenTheLogHasFailed()
    {
        try (LoggedTable table = table())
        {
            table.recover();
            table.connect(0);
            final int count = 2 * (int)MEMORY / LONG;
            for (int i = 0; i < count; i++)
            {
                table.send(0, putLarge(++id, key("l" + i), LONG));
                settle(table);
            }
            table.send(0, putLarge(++id, key("next"), LONG));
            table.stepOn();
            final String leaving =
                IntStream.range(0, count).mapToObj((i) -> "l" + i).filter(table::isLeaving).findFirst().orElseThrow();
            table.send(0, get(++id, leaving));
            table.stepOn();
            assertEquals(Status.BUSY, found(table.answer(0)));
            log.fail();
            table.stepOn();
            assertEquals(Status.STORAGE_FAILED, status(table.answer(0)));
            table.send(0, get(++id, leaving));
            table.stepOn();
            assertEquals(Status.OK, found(table.answer(0)));
        }
    }

    /** What is applied before the removal, and leaves the record as it is, does not let it be lent. */
    @Test
    void shouldNotLendWhatIsOnItsWayOutAfterAWriteThatChangesNothing()
    {
        try (LoggedTable table = table())
        {
            table.recover();
            table.connect(0);
            table.connect(1);
            fillWithLongest(table);
            final List<String> present =
                keys.stream().filter((key) -> !table.describe(key).equals("absent")).toList();
            for (final String key : present)
            {
                assertTrue(table.send(0, putIf(++id, ConditionKind.ABSENT, 0, key, 1)));
            }
            table.stepOn();
            final int conflicts = log.proposals();
            table.send(1, putLarge(1, "next", LONGEST));
            table.stepOn();
            final List<String> leaving = present.stream().filter(table::isLeaving).toList();
            assertNotEquals(List.of(), leaving);
            log.commit(conflicts);
            table.stepOn();
            for (int i = 0; i < present.size(); i++)
            {
                assertEquals(Status.CONFLICT, status(table.answer(0)));
            }
            assertEquals(leaving, present.stream().filter(table::isLeaving).toList());
            table.send(0, get(++id, leaving.get(0)));
            table.stepOn();
            assertEquals(Status.BUSY, found(table.answer(0)));
            table.settle();
            assertEquals(Status.OK, status(table.answer(1)));
        }
    }

    /** Puts values that are so long that only a few are there. */
    private void fillWithLongest(final LoggedTable table)
    {
        for (int i = 0; i < 2 * (int)MEMORY / LONGEST; i++)
        {
            table.send(0, putLarge(++id, key("l" + i), LONGEST));
            settle(table);
        }
    }

    @Test
    void shouldLetNothingLeaveForALongValueWhoseConditionFails()
    {
        try (LoggedTable table = table())
        {
            table.recover();
            table.connect(0);
            fillWithLongest(table);
            final long before = table.table().recordCount();
            final int entries = log.entries().size();
            final String present =
                keys.stream().filter((key) -> !table.describe(key).equals("absent")).findFirst().orElseThrow();
            table.send(0, putLargeIf(++id, ConditionKind.ABSENT, present, 2 * LONGEST));
            table.stepOn();
            assertEquals(Status.CONFLICT, status(table.answer(0)));
            table.settle();
            assertEquals(before, table.table().recordCount());
            assertEquals(entries, log.entries().size());
        }
    }

    /** A value that is pulled gets its slot when it is proposed, and not before. */
    @Test
    void shouldEvictOnceForTheSlotOfALongValue()
    {
        try (LoggedTable table = table(LoggedEvictionTest::starved))
        {
            table.recover();
            table.connect(0);
            putAll(table, MANY, 1);
            settle(table);
            for (int i = 0; i < NEW_KEYS; i++)
            {
                final long before = table.table().evictions().forIndex();
                table.send(0, putLarge(++id, key("l" + i), 10_000));
                table.stepOn();
                settle(table);
                assertTrue(table.table().evictions().forIndex() <= before + 1);
            }
        }
    }

    /** Later values, and snapshots, wait for one that has no slot yet, so it does not wait for ever. */
    @Test
    void shouldRefuseALongValueThatGetsNoSlotForLong()
    {
        try (LoggedTable table = table(LoggedEvictionTest::starved))
        {
            table.recover();
            table.connect(0);
            table.connect(1);
            putAll(table, MANY, 1);
            settle(table);
            byte[] answer = null;
            for (int i = 0; answer == null; i++)
            {
                assertTrue(i < NEW_KEYS, "each long value has a slot");
                table.settle();
                assertTrue(otherId == 0 || status(table.answer(1)) == Status.OK);
                takeAnswers(table);
                // While the long value is pulled, another of the same key takes the slot.
                table.send(1, putLarge(++otherId, key("n" + i), 10_000));
                table.step();
                table.send(0, put(++id, "n" + i, new byte[1]));
                table.stepOn();
                assertNull(table.answer(1));
                clock[0] += TimeUnit.NANOSECONDS.toMillis(MemoryWait.LONGEST_NS);
                table.stepOn();
                answer = table.answer(1);
            }
            assertEquals(Status.INDEX_FULL, status(answer));
            settle(table);
            table.send(1, putLarge(++otherId, "n0", 10_000));
            table.settle();
            assertEquals(Status.OK, status(table.answer(1)));
            assertReplayed(table, LoggedEvictionTest::starved);
        }
    }

    /** One that has no slot yet says nothing about others, though they are no shorter. */
    @Test
    void shouldGoOnWithAKeyThatHasASlotWhileAnotherWaitsForOne()
    {
        try (LoggedTable table = table(LoggedEvictionTest::starved))
        {
            table.recover();
            table.connect(0);
            table.connect(1);
            putAll(table, MANY, 1);
            settle(table);
            int tries = 0;
            while (!areProposedAndAwaited(table, key("a" + tries), key("b" + tries)))
            {
                tries++;
                assertTrue(tries < NEW_KEYS, "no two keys that wait belong to different chains");
                settleBoth(table);
            }
            log.commit(1);
            table.stepOn();
            assertEquals(2, log.proposals(), "the first that waits has no slot yet, and the second one has");
            settleBoth(table);
            assertReplayed(table, LoggedEvictionTest::starved);
        }
    }

    /** Puts two keys, in an entry each, and then again in the other order; whether both have to wait then. */
    private boolean areProposedAndAwaited(final LoggedTable table, final String first, final String second)
    {
        table.send(0, put(++id, first, new byte[1]));
        table.step();
        table.send(0, put(++id, second, new byte[1]));
        table.step();
        final boolean areProposed = log.proposals() == 2;
        table.send(1, put(++otherId, second, new byte[1]));
        table.send(1, put(++otherId, first, new byte[1]));
        table.stepOn();
        return areProposed && log.proposals() == 2;
    }

    private void settleBoth(final LoggedTable table)
    {
        settle(table);
        assertEquals(Status.OK, status(table.answer(1)));
        assertEquals(Status.OK, status(table.answer(1)));
    }

    @Test
    void shouldRefuseAtOnceWhatCannotFit()
    {
        try (LoggedTable table = table())
        {
            fill(table);
            final long before = table.table().recordCount();
            table.send(0, putLarge(++id, key("long"), (int)MEMORY));
            table.stepOn();
            assertEquals(Status.STORE_FULL, status(table.answer(0)));
            assertEquals(before, table.table().recordCount());
        }
    }

    @Test
    void shouldRefuseKindsOfItemsThatItDoesNotKnow()
    {
        for (final byte[] entry : List.of(
            entry(ItemKind.values().length + 1, new long[2]), entry(ItemKind.EVICT.code(), new long[2]),
            entry(ItemKind.EVICT.code(), new long[] { 3, 1, 1 }), entry(ItemKind.EVICT.code(), new long[0])))
        {
            try (LoggedTable table = new LoggedTable(
                new MemoryLog(List.of(entry), 0), MEMORY, 1, clock, store("third"), Eviction.DENSITY, 1,
                ShardMemory::whole))
            {
                assertThrows(CannotApplyException.class, table::recover);
            }
        }
    }

    private static byte[] entry(final int kind, final long[] body)
    {
        final int item = EntryDescriptor.HEADER_LENGTH;
        final byte[] entry = new byte[item + EntryDescriptor.ITEM_HEADER_LENGTH + body.length * Long.BYTES];
        final UnsafeBuffer buffer = new UnsafeBuffer(entry);
        EntryDescriptor.writeHeader(buffer, 0, 1, 1, 0);
        buffer.putInt(item + EntryDescriptor.ITEM_KIND_OFFSET, kind);
        buffer.putInt(item + EntryDescriptor.ITEM_LENGTH_OFFSET, body.length * Long.BYTES);
        for (int i = 0; i < body.length; i++)
        {
            buffer.putLong(item + EntryDescriptor.ITEM_HEADER_LENGTH + i * Long.BYTES, body[i]);
        }
        return entry;
    }
}
