package org.onesided.server.shard.agent;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.server.shard.agent.RequestMessages.*;

import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.protocol.rpc.codec.ExpiryKind;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.WriteAnswerDecoder;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.server.log.EntryDescriptor;
import org.onesided.server.log.ItemKind;
import org.onesided.server.shard.session.ShardSession;
import org.onesided.server.snapshot.SnapshotStore;

/** Writes through a log: when they take effect, and what becomes of them when the log fails. */
class LoggedShardTest
{
    private static final long MEMORY = 16 << 20;
    private static final long TABLE_ID = 1;

    private final long[] clock = { 1_000_000 };

    @TempDir
    private Path directory;

    private SnapshotStore store(final String name)
    {
        return new SnapshotStore(directory.resolve(name), TABLE_ID, 0, 1);
    }

    @Test
    void shouldShowAndAnswerNothingBeforeItIsCommitted()
    {
        final MemoryLog log = new MemoryLog();
        try (LoggedTable table = new LoggedTable(log, MEMORY, 1, clock, store("first")))
        {
            table.recover();
            table.connect(0);
            table.settle();
            table.send(0, put(1, "k1", new byte[100]));
            table.send(0, putLarge(2, "k2", 300_000));
            for (int i = 0; i < 1000; i++)
            {
                table.step();
            }
            assertNull(table.answer(0));
            assertEquals("absent", table.describe("k1"));
            log.commit(1);
            table.step();
            assertEquals(Status.OK, answer(table).status());
            assertNotEquals("absent", table.describe("k1"));
            table.settle();
            assertEquals(Status.OK, answer(table).status());
            assertNotEquals("absent", table.describe("k2"));
        }
    }

    private static WriteAnswerDecoder answer(final LoggedTable table)
    {
        final byte[] answer = table.answer(0);
        assertNotNull(answer);
        return new WriteAnswerDecoder().wrapAndApplyHeader(new UnsafeBuffer(answer), 0, new MessageHeaderDecoder());
    }

    /** The request that an answer of any kind belongs to. */
    private static long answered(final LoggedTable table)
    {
        final byte[] answer = table.answer(0);
        assertNotNull(answer);
        return new UnsafeBuffer(answer).getLong(MessageHeaderDecoder.ENCODED_LENGTH, ByteOrder.LITTLE_ENDIAN);
    }

    @Test
    void shouldProposeARoundAsOneEntry()
    {
        final MemoryLog log = new MemoryLog();
        try (LoggedTable table = new LoggedTable(log, MEMORY, 1, clock, store("first")))
        {
            table.recover();
            table.connect(0);
            table.settle();
            final int before = log.entries().size();
            for (int i = 1; i <= 5; i++)
            {
                table.send(0, put(i, "k" + i, new byte[100]));
            }
            table.step();
            assertEquals(1, log.proposals());
            table.settle();
            assertEquals(before + 1, log.entries().size());
        }
    }

    @Test
    void shouldLetALookupByRequestWaitForTheSessionsOwnWriteOfItsKey()
    {
        final MemoryLog log = new MemoryLog();
        try (LoggedTable table = new LoggedTable(log, MEMORY, 1, clock, store("first")))
        {
            table.recover();
            table.connect(0);
            table.settle();
            table.send(0, put(1, "k1", new byte[10]));
            table.send(0, get(2, "k1"));
            table.step();
            table.step();
            assertNull(table.answer(0));
            table.settle();
            assertEquals(1, answered(table));
            assertEquals(2, answered(table));
        }
    }

    @Test
    void shouldAnswerAWriteThatIsSentAgainAfterARestart()
    {
        final MemoryLog log = new MemoryLog();
        final byte[] first;
        try (LoggedTable table = new LoggedTable(log, MEMORY, 1, clock, store("first")))
        {
            table.recover();
            table.connect(0);
            table.send(0, increment(1, "n1", 5, 10));
            table.settle();
            first = table.answer(0);
            assertNotNull(first);
        }
        try (LoggedTable table = new LoggedTable(new MemoryLog(log.entries(), 0), MEMORY, 2, clock, store("second")))
        {
            table.recover();
            table.connect(0);
            table.send(0, increment(1, "n1", 5, 10));
            table.settle();
            assertArrayEquals(first, table.answer(0));
            // As far ahead as lookups may have taken the numbers.
            table.send(0, increment(1000, "n1", 5, 10));
            table.settle();
            assertEquals(1000, answered(table));
        }
    }

    @Test
    void shouldLetASessionEndWhileItsLargeValueIsOnItsWayIntoTheLog()
    {
        final MemoryLog log = new MemoryLog();
        final List<String> digest;
        try (LoggedTable table = new LoggedTable(log, MEMORY, 1, clock, store("first")))
        {
            table.recover();
            table.connect(0);
            table.connect(1);
            table.settle();
            // More pieces than are proposed ahead of the log.
            table.send(0, putLarge(1, "k1", 9_000_000));
            for (int i = 0; i < 1000; i++)
            {
                table.step();
            }
            assertEquals("absent", table.describe("k1"));
            table.leave(0);
            table.send(1, put(1, "k2", new byte[10]));
            table.settle();
            assertNotEquals("absent", table.describe("k2"));
            digest = table.digest(Digests.keys());
        }
        Digests.assertSame(digest, Digests.replayed(log.entries(), 0, MEMORY, store("second"), clock));
    }

    @Test
    void shouldRefuseWritesWhileTheLogHasFailedAndForgetThoseThatAreLost()
    {
        final MemoryLog log = new MemoryLog();
        try (LoggedTable table = new LoggedTable(log, MEMORY, 1, clock, store("first")))
        {
            table.recover();
            table.connect(0);
            table.settle();
            table.send(0, put(1, "k1", new byte[10]));
            table.send(0, putLarge(2, "k2", 300_000));
            for (int i = 0; i < 100; i++)
            {
                table.step();
            }
            log.fail();
            table.step();
            table.send(0, put(3, "k3", new byte[10]));
            table.send(0, get(4, "k4"));
            table.step();
            assertEquals(Status.STORAGE_FAILED, answer(table).status());
            assertEquals(4, answered(table));
            assertNull(table.answer(0), "nobody knows yet what became of the others");
            log.reopen();
            table.step();
            final WriteAnswerDecoder lost = answer(table);
            assertEquals(Status.STORAGE_FAILED, lost.status());
            assertEquals(Status.STORAGE_FAILED, answer(table).status());
            table.send(0, put(5, "k1", new byte[10]));
            table.send(0, putLarge(6, "k2", 300_000));
            table.settle();
            assertEquals(Status.OK, answer(table).status());
            assertEquals(Status.OK, answer(table).status());
            Digests.assertSame(table.digest(Digests.keys()),
                Digests.replayed(log.entries(), 0, MEMORY, store("second"), clock));
        }
    }

    @Test
    void shouldLetKeysExpireWithoutWrites()
    {
        final MemoryLog log = new MemoryLog();
        try (LoggedTable table = new LoggedTable(log, MEMORY, 1, clock, store("first")))
        {
            table.recover();
            table.connect(0);
            table.send(0, put(1, "k1", 10, ExpiryKind.AFTER, 100));
            table.settle();
            assertEquals(1, table.table().statistics().records());
            clock[0] += 200;
            for (int i = 0; i < 10; i++)
            {
                table.step();
            }
            assertEquals(1, table.table().statistics().records(), "time goes on with the log only");
            table.settle();
            assertEquals(0, table.table().statistics().records());
        }
    }

    @Test
    void shouldRefuseChosenKeysInsteadOfStopping()
    {
        final MemoryLog log = new MemoryLog();
        try (LoggedTable table = new LoggedTable(log, MEMORY, 1, clock, store("first")))
        {
            table.recover();
            table.connect(0);
            int refused = 0;
            int sent = 0;
            for (long number = 0; sent < 400; number++)
            {
                final String key = "c" + number;
                if (!table.isInFirstBucket(key))
                {
                    continue;
                }
                while (!table.send(0, put(sent + 1, key, new byte[1])))
                {
                    log.commit(1);
                    table.step();
                }
                sent++;
                for (byte[] answer = table.answer(0); answer != null; answer = table.answer(0))
                {
                    refused += new WriteAnswerDecoder().wrapAndApplyHeader(
                        new UnsafeBuffer(answer), 0, new MessageHeaderDecoder()).status() == Status.CHAIN_FULL ? 1 : 0;
                }
            }
            table.settle();
            assertNotEquals(0, refused);
            assertNotEquals(0, table.table().statistics().records());
            assertEquals(table.table().statistics().records(), recordsOf(log.entries()));
        }
    }

    @Test
    void shouldOpenASessionAgainWhoseOpeningWasLostWhileAValueWasPulled()
    {
        final MemoryLog log = new MemoryLog();
        try (LoggedTable table = new LoggedTable(log, MEMORY, 1, clock, store("first")))
        {
            table.recover();
            table.connect(0);
            table.send(0, putLarge(1, "k1", 300_000));
            log.fail();
            log.reopen();
            table.settle();
            assertEquals(Status.OK, answer(table).status());
            Digests.assertSame(table.digest(Digests.keys()),
                Digests.replayed(log.entries(), 0, MEMORY, store("second"), clock));
        }
    }

    @Test
    void shouldReadBackALogWhoseKeysHadToExpireToHaveRoom()
    {
        final MemoryLog log = new MemoryLog();
        final List<String> digest;
        try (LoggedTable table = new LoggedTable(log, MEMORY, 1, clock, store("first")))
        {
            table.recover();
            for (int i = 0; i < LoggedTable.SESSIONS; i++)
            {
                table.connect(i);
            }
            for (int i = 0; i < 12_000; i++)
            {
                final int session = i % LoggedTable.SESSIONS;
                while (!table.send(session, put(1 + i, "e" + i, 7000, ExpiryKind.AFTER, 100)))
                {
                    log.commit(Integer.MAX_VALUE);
                    table.step();
                    table.step();
                    for (int j = 0; j < LoggedTable.SESSIONS; j++)
                    {
                        while (table.answer(j) != null)
                        {
                            // Refusals would show in the digest.
                        }
                    }
                    clock[0] += 20;
                }
            }
            table.settle();
            digest = table.digest(Digests.keys());
        }
        Digests.assertSame(digest, Digests.replayed(log.entries(), 0, MEMORY, store("second"), clock));
    }

    @Test
    void shouldLetASessionGoOnOverAnotherQueuePairWhileItsValueIsInALogThatFailed()
    {
        final MemoryLog log = new MemoryLog();
        try (LoggedTable table = new LoggedTable(log, MEMORY, 1, clock, store("first")))
        {
            table.recover();
            table.connect(0);
            table.settle();
            table.send(0, putLarge(1, "k1", 300_000));
            table.stepOn();
            log.fail();
            table.step();
            table.connect(0);
            table.send(0, get(2, "k2"));
            table.step();
            assertEquals(2, answered(table));
            table.send(0, putLarge(1, "k1", 300_000));
            table.step();
            assertNull(table.answer(0), "nobody knows yet what became of it");
            log.commit(Integer.MAX_VALUE);
            log.reopen();
            table.settle();
            assertEquals(Status.OK, answer(table).status());
            assertNotEquals("absent", table.describe("k1"));
            Digests.assertSame(table.digest(Digests.keys()),
                Digests.replayed(log.entries(), 0, MEMORY, store("second"), clock));
        }
    }

    @Test
    void shouldEndASessionBehindItsLastValue()
    {
        final MemoryLog log = new MemoryLog();
        try (LoggedTable table = new LoggedTable(log, MEMORY, 1, clock, store("first")))
        {
            table.recover();
            table.connect(0);
            table.settle();
            table.send(0, putLarge(1, "k1", 9 << 20));
            table.stepOn();
            table.leave(0);
            assertEquals("absent", table.describe("k1"));
            table.settle();
            assertNotEquals("absent", table.describe("k1"));
            assertEquals(List.of(), table.shard().loggedSessions());
            Digests.assertSame(table.digest(Digests.keys()),
                Digests.replayed(log.entries(), 0, MEMORY, store("second"), clock));
        }
    }

    @Test
    void shouldKeepTheOrderOfASessionsWritesOfAKeyOverItsNextQueuePair()
    {
        final MemoryLog log = new MemoryLog();
        try (LoggedTable table = new LoggedTable(log, MEMORY, 1, clock, store("first")))
        {
            table.recover();
            table.connect(0);
            table.connect(1);
            table.settle();
            // As much as is proposed ahead of the log.
            table.send(1, putLarge(1, "k0", 9 << 20));
            table.stepOn();
            table.send(0, putLarge(1, "k1", 1 << 20));
            table.stepOn();
            table.connect(0);
            table.send(0, put(2, "k1", new byte[10]));
            table.send(0, putLarge(3, "k2", 1 << 20));
            table.stepOn();
            assertNull(table.answer(0));
            table.settle();
            assertEquals(2, answered(table));
            assertEquals(3, answered(table));
            assertTrue(table.describe("k1").startsWith("length=10 "), table.describe("k1"));
        }
    }

    @Test
    void shouldAnswerLookupsThatWaitForAWriteOfTheirKeyWhenTheLogFails()
    {
        final MemoryLog log = new MemoryLog();
        try (LoggedTable table = new LoggedTable(log, MEMORY, 1, clock, store("first")))
        {
            table.recover();
            table.connect(0);
            table.settle();
            table.send(0, put(1, "k1", new byte[10]));
            table.send(0, get(2, "k1"));
            table.send(0, get(3, "k2"));
            table.step();
            assertNull(table.answer(0));
            log.fail();
            table.step();
            table.step();
            assertEquals(2, answered(table));
            assertEquals(3, answered(table));
            table.send(0, get(4, "k1"));
            table.step();
            assertEquals(4, answered(table));
        }
    }

    @Test
    void shouldEndASessionWhoseEndWasLost()
    {
        final MemoryLog log = new MemoryLog();
        try (LoggedTable table = new LoggedTable(log, MEMORY, 1, clock, store("first")))
        {
            table.recover();
            table.connect(0);
            table.settle();
            table.leave(0);
            log.fail();
            log.reopen();
            table.settle();
            assertEquals(List.of(), table.shard().loggedSessions());
        }
    }

    @Test
    void shouldEndASessionThatWasOpenWhenTheServerDied()
    {
        final MemoryLog log = new MemoryLog();
        try (LoggedTable table = new LoggedTable(log, MEMORY, 1, clock, store("first")))
        {
            table.recover();
            table.connect(0);
            table.connect(1);
            table.settle();
        }
        final MemoryLog next = new MemoryLog(log.entries(), 0);
        try (LoggedTable table = new LoggedTable(next, MEMORY, 2, clock, store("second")))
        {
            table.recover();
            assertEquals(2, table.shard().loggedSessions().size());
            table.shard().forget(table.shard().loggedSessions().get(0));
            table.settle();
            assertEquals(1, table.shard().loggedSessions().size());
        }
        try (LoggedTable table =
            new LoggedTable(new MemoryLog(next.entries(), 0), MEMORY, 3, clock, store("third")))
        {
            table.recover();
            assertEquals(1, table.shard().loggedSessions().size());
        }
    }

    @Test
    void shouldEndASessionBeforeOneOpensInItsPlace()
    {
        final MemoryLog log = new MemoryLog();
        try (LoggedTable table = new LoggedTable(log, MEMORY, 1, clock, store("first")))
        {
            table.recover();
            table.connect(0);
            table.settle();
            final ShardSession first = table.shard().loggedSessions().get(0);
            table.disconnect(0);
            // The shard learns of both in one round.
            table.shard().forget(first);
            table.connectAnew(0);
            table.settle();
            final byte[] last = log.entries().get(log.entries().size() - 1);
            final UnsafeBuffer entry = new UnsafeBuffer(last);
            final int ofEnd = EntryDescriptor.HEADER_LENGTH;
            assertEquals(ItemKind.END_SESSION.code(), entry.getByte(ofEnd));
            assertEquals(ItemKind.OPEN_SESSION.code(), entry.getByte(ofEnd + EntryDescriptor.ITEM_HEADER_LENGTH));
        }
    }

    @Test
    void shouldRefuseWritesOnceTooMuchWaitsForTheLog()
    {
        final MemoryLog log = new MemoryLog();
        try (LoggedTable table = new LoggedTable(log, MEMORY, 1, clock, store("first")))
        {
            table.recover();
            final String key = "k".repeat(RecordDescriptor.MAX_KEY_LENGTH);
            final int most = (100 << 20) / (8 * key.length());
            byte[] answer = null;
            for (int i = 0; answer == null; i++)
            {
                assertTrue(i < most, "memory grows without end");
                table.connectAnew(0);
                for (int id = 1; id <= 8; id++)
                {
                    table.send(0, delete(id, key));
                }
                table.step();
                table.step();
                answer = table.answer(0);
                if (answer == null)
                {
                    table.leave(0);
                }
            }
            assertEquals(Status.STORAGE_FAILED, new WriteAnswerDecoder().wrapAndApplyHeader(
                new UnsafeBuffer(answer), 0, new MessageHeaderDecoder()).status());
            table.settle();
            table.leave(0);
            table.connectAnew(0);
            table.send(0, put(1, "k1", new byte[10]));
            table.settle();
            assertEquals(Status.OK, answer(table).status());
        }
    }

    private long recordsOf(final List<byte[]> entries)
    {
        try (LoggedTable table = new LoggedTable(new MemoryLog(entries, 0), MEMORY, 2, clock, store("second")))
        {
            table.recover();
            return table.table().statistics().records();
        }
    }
}
