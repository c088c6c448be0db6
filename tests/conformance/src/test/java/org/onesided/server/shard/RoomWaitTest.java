package org.onesided.server.shard;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onesided.fuzz.Wire;
import org.onesided.protocol.rpc.codec.AppendRequestEncoder;
import org.onesided.protocol.rpc.codec.ConditionKind;
import org.onesided.protocol.rpc.codec.ExpiryKind;
import org.onesided.protocol.rpc.codec.GetAnswerDecoder;
import org.onesided.protocol.rpc.codec.GetRequestEncoder;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.MessageHeaderEncoder;
import org.onesided.protocol.rpc.codec.PutLargeRequestEncoder;
import org.onesided.protocol.rpc.codec.PutRequestEncoder;
import org.onesided.protocol.rpc.codec.QualifiedPutLargeRequestEncoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.WriteAnswerDecoder;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.Superblock;
import org.onesided.server.expiry.ShardClock;
import org.onesided.server.memory.LocalKeys;
import org.onesided.server.eviction.Eviction;
import org.onesided.server.eviction.ShardEviction;
import org.onesided.server.queue.SessionGeometry;
import org.onesided.server.table.FoundRecord;
import org.onesided.server.table.GrowthPlan;
import org.onesided.server.table.ShardTable;
import org.onesided.server.table.WriteResult;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.ReceiveRequests;

/**
 * Puts that wait for room in a scattered heap, at a shard that this thread steps round by round.
 */
class RoomWaitTest
{
    private static final int MEMORY = 16 << 20;
    private static final int LONG = 1 << 20;
    private static final int VALUE_LENGTH = 112;
    private static final int SPLITS = 16;
    private static final int CREDITS = 8;
    private static final int KEY_OF_MEMORY = 7;
    private static final long NEVER_NS = TimeUnit.HOURS.toNanos(1);
    private static final int ROUNDS = 100_000;
    private static final SessionGeometry GEOMETRY = new SessionGeometry(CREDITS, 8192, CREDITS, 4, LONG, LONG);
    private static final Superblock SUPERBLOCK = GrowthPlan.of(MEMORY, 1, 1, 4096).superblock(1, 2, 3, 4);

    private final List<Long> allocations = new ArrayList<>();
    private final MemoryRange tableMemory = memory(SUPERBLOCK.regionLength());
    private final MemoryRange lent = memory(LONG);
    private final MemoryRange scratch = memory(8192);
    private final ReceiveRequests receives = new ReceiveRequests(1, 1);
    private final KeyHash keyHash = new KeyHash(SUPERBLOCK.hashSeed());
    private final ShardTable table = new ShardTable(tableMemory, SUPERBLOCK, 0, 1);
    private final FoundRecord found = new FoundRecord();
    private final Peer first = new Peer(0);
    private final Peer second = new Peer(1);
    private Shard shard;
    private int count;
    private int ended;

    /** A client of one session, at a device of its own. */
    private final class Peer
    {
        private final MemoryRange buffers = memory(GEOMETRY.bufferLength());
        private final Wire wire = new Wire(tableMemory, buffers, lent, KEY_OF_MEMORY);
        private final int device;
        private final ShardSession session;
        private CreditedQueuePair connection;

        Peer(final int device)
        {
            this.device = device;
            session = new ShardSession(device, GEOMETRY);
        }

        void connect()
        {
            wire.renew();
            connection = new CreditedQueuePair(
                session, false, wire, GEOMETRY, buffers, KEY_OF_MEMORY, 1, device, 1, shard.nextTag());
            connection.postReceives(receives);
            shard.attach(connection);
            shard.doWork();
        }

        void put(final long id, final String key, final int length)
        {
            final UnsafeBuffer buffer = new UnsafeBuffer(new byte[8192]);
            send(buffer, new PutRequestEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                .requestId(id).putKey(key.getBytes(US_ASCII), 0, key.length()).putValue(new byte[length], 0, length)
                .limit());
        }

        void putLong(final long id, final String key)
        {
            final UnsafeBuffer buffer = new UnsafeBuffer(new byte[8192]);
            send(buffer, new PutLargeRequestEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                .requestId(id).valueAddress(lent.address()).valueLength(LONG).valueKey(KEY_OF_MEMORY)
                .putKey(key.getBytes(US_ASCII), 0, key.length()).limit());
        }

        void putLongIfAbsent(final long id, final String key)
        {
            final UnsafeBuffer buffer = new UnsafeBuffer(new byte[8192]);
            send(buffer, new QualifiedPutLargeRequestEncoder()
                .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                .requestId(id).valueAddress(lent.address()).valueLength(LONG).valueKey(KEY_OF_MEMORY)
                .tableId(0).expectedVersion(0).condition(ConditionKind.ABSENT)
                .expiry(0).expiryKind(ExpiryKind.KEEP).putKey(key.getBytes(US_ASCII), 0, key.length()).limit());
        }

        void append(final long id, final String key, final int length)
        {
            final UnsafeBuffer buffer = new UnsafeBuffer(new byte[8192]);
            send(buffer, new AppendRequestEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                .requestId(id).putKey(key.getBytes(US_ASCII), 0, key.length()).putValue(added(length), 0, length)
                .limit());
        }

        void get(final long id, final String key)
        {
            final UnsafeBuffer buffer = new UnsafeBuffer(new byte[8192]);
            send(buffer, new GetRequestEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                .requestId(id).putKey(key.getBytes(US_ASCII), 0, key.length()).limit());
        }

        private void send(final UnsafeBuffer buffer, final int length)
        {
            assertTrue(wire.send(Arrays.copyOf(buffer.byteArray(), length)));
        }

        /** The next answer, or null. */
        WriteAnswerDecoder answer()
        {
            final byte[] bytes = wire.sent();
            if (bytes == null)
            {
                return null;
            }
            // Answers to computed writes begin like others.
            final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
            return new WriteAnswerDecoder().wrap(
                buffer, MessageHeaderDecoder.ENCODED_LENGTH, new MessageHeaderDecoder().wrap(buffer, 0).blockLength(),
                0);
        }

        /** Goes round until there is an answer; says how often. */
        int await(final long id, final Status status)
        {
            for (int round = 1; round < ROUNDS; round++)
            {
                shard.doWork();
                final WriteAnswerDecoder answer = answer();
                if (answer != null)
                {
                    assertEquals(id, answer.requestId());
                    assertEquals(status, answer.status());
                    return round;
                }
            }
            throw new AssertionError("no answer: id=" + id);
        }
    }

    @BeforeEach
    void fill()
    {
        for (; put(key(count)) == Status.OK; count++)
        {
            // Until it is full.
        }
        start(NEVER_NS);
    }

    @AfterEach
    void close()
    {
        shard.close();
        receives.close();
        allocations.forEach(UnsafeApi::freeMemory);
    }

    private void start(final long roomWaitNs)
    {
        shard = new Shard(0, 1, table, ShardEviction.begin(Eviction.NONE, table, 0, false), keyHash, GEOMETRY,
            List.of(
                new ShardDevice("first", first.wire, first.wire, LocalKeys.of(KEY_OF_MEMORY)),
                new ShardDevice("second", second.wire, second.wire, LocalKeys.of(KEY_OF_MEMORY))),
            new ShardListener()
            {
                @Override
                public void onEnded(final CreditedQueuePair connection, final String reason)
                {
                    assertNull(reason);
                    ended++;
                }

                @Override
                public void onBroken(final int device, final String reason)
                {
                    throw new AssertionError(reason);
                }

                @Override
                public void onFailed(final int failed, final RuntimeException cause)
                {
                    throw cause;
                }
            }, roomWaitNs, new ShardClock(System::nanoTime, System::currentTimeMillis), false, null);
        first.connect();
        second.connect();
    }

    @Test
    void shouldServeOthersInEachRoundWhileAPutWaits()
    {
        scatter();
        first.putLong(1, "long");
        int rounds = 0;
        WriteAnswerDecoder done = null;
        for (long id = 1; done == null && rounds < ROUNDS; id++)
        {
            second.put(id, key(1), VALUE_LENGTH);
            final long before = table.statistics().bytesMoved();
            shard.doWork();
            assertTrue(table.statistics().bytesMoved() - before < 1 << 20);
            final WriteAnswerDecoder answer = second.answer();
            assertNotNull(answer, "put was not answered in its round");
            assertEquals(Status.OK, answer.status());
            done = first.answer();
            rounds++;
        }
        assertEquals(Status.OK, done.status());
        assertTrue(rounds > 10, "it did not wait: rounds=" + rounds);
        assertTrue(shard.metrics().roomWaits() >= 1);
        assertEquals(0, shard.metrics().waitingForRoom());
    }

    @Test
    void shouldLetOthersOfTheSameSessionOvertakeAPutThatWaitsButNotThoseOfItsKey()
    {
        scatter();
        first.putLong(1, "long");
        first.put(2, key(1), VALUE_LENGTH);
        assertEquals(1, first.await(2, Status.OK));
        assertEquals(1, shard.metrics().waitingForRoom());
        first.get(3, "long");
        first.put(4, key(1), VALUE_LENGTH);
        assertTrue(first.await(1, Status.OK) > 1);
        final byte[] got = nextOf(first);
        final GetAnswerDecoder answer =
            new GetAnswerDecoder().wrapAndApplyHeader(new UnsafeBuffer(got), 0, new MessageHeaderDecoder());
        assertEquals(3, answer.requestId());
        assertEquals(LONG, answer.wholeLength());
        first.await(4, Status.OK);
    }

    private byte[] nextOf(final Peer peer)
    {
        byte[] bytes = peer.wire.sent();
        for (int i = 0; bytes == null && i < ROUNDS; i++)
        {
            shard.doWork();
            bytes = peer.wire.sent();
        }
        return bytes;
    }

    @Test
    void shouldAnswerAPutThatIsSentAgainWhileItWaitsAndExecuteItOnce()
    {
        scatter();
        final long before = table.statistics().puts();
        first.putLong(1, "long");
        shard.doWork();
        first.putLong(1, "long");
        first.await(1, Status.OK);
        first.await(1, Status.OK);
        assertEquals(before + 1, table.statistics().puts());
    }

    @Test
    void shouldExecuteAPutOnceThatWaitedWhenItsQueuePairEnded()
    {
        scatter();
        final long before = table.statistics().puts();
        first.putLong(1, "long");
        shard.doWork();
        assertEquals(1, shard.metrics().waitingForRoom());
        shard.end(first.connection);
        for (int i = 0; i < ROUNDS && ended == 0; i++)
        {
            shard.doWork();
        }
        assertEquals(0, shard.metrics().waitingForRoom());
        first.connect();
        first.putLong(1, "long");
        first.await(1, Status.OK);
        assertEquals(before + 1, table.statistics().puts());
        assertTrue(find("long"));
    }

    @Test
    void shouldGoOnWithABatchWhereItWaitedWhenItsQueuePairEnded()
    {
        scatter();
        final int[] lengths = {VALUE_LENGTH, 4096, 1};
        assertTrue(first.wire.send(RequestMessages.putBatch(1, lengths, key(1), "long", key(3))));
        shard.doWork();
        assertEquals(1, shard.metrics().waitingForRoom());
        shard.end(first.connection);
        for (int i = 0; i < ROUNDS && ended == 0; i++)
        {
            shard.doWork();
        }
        second.put(1, key(1), 2);
        second.await(1, Status.OK);
        first.connect();
        assertTrue(first.wire.send(RequestMessages.putBatch(1, lengths, key(1), "long", key(3))));
        nextOf(first);
        assertFound(key(1), new byte[2]);
        assertTrue(find("long"));
        assertEquals(4096, found.valueLength());
        assertTrue(find(key(3)));
        assertEquals(1, found.valueLength());
    }

    @Test
    void shouldCompareTheConditionOfAPutThatWaitedWhenThereIsRoom()
    {
        scatter();
        first.putLongIfAbsent(1, "long");
        shard.doWork();
        assertEquals(1, shard.metrics().waitingForRoom());
        second.put(1, "long", VALUE_LENGTH);
        second.await(1, Status.OK);
        first.await(1, Status.CONFLICT);
        assertEquals(0, shard.metrics().waitingForRoom());
        assertTrue(find("long"));
        assertEquals(VALUE_LENGTH, found.valueLength());
    }

    @Test
    void shouldAppendToWhatIsThereWhenThereIsRoom()
    {
        scatter();
        first.append(1, "long", 4096);
        shard.doWork();
        assertEquals(1, shard.metrics().waitingForRoom());
        second.put(1, "long", VALUE_LENGTH);
        second.await(1, Status.OK);
        first.await(1, Status.OK);
        assertEquals(0, shard.metrics().waitingForRoom());
        assertFound("long", new byte[VALUE_LENGTH], added(4096));
    }

    @Test
    void shouldExecuteAnAppendOnceThatWaitedWhenItsQueuePairEnded()
    {
        scatter();
        first.append(1, "long", 4096);
        shard.doWork();
        assertEquals(1, shard.metrics().waitingForRoom());
        shard.end(first.connection);
        for (int i = 0; i < ROUNDS && ended == 0; i++)
        {
            shard.doWork();
        }
        first.connect();
        first.append(1, "long", 4096);
        first.await(1, Status.OK);
        first.append(1, "long", 4096);
        first.await(1, Status.OK);
        assertFound("long", added(4096));
    }

    @Test
    void shouldRefuseAnAppendForWhichThereIsNoRoomAndChangeNothing()
    {
        first.append(1, key(1), 4096);
        assertEquals(1, first.await(1, Status.STORE_FULL));
        assertTrue(find(key(1)));
        assertEquals(VALUE_LENGTH, found.valueLength());
    }

    @Test
    void shouldCompareTheConditionOfALongValueWhenItIsPublished()
    {
        scatter();
        first.putLongIfAbsent(1, "long");
        for (int i = 0; i < ROUNDS && shard.metrics().pulls() == 0; i++)
        {
            shard.doWork();
        }
        assertEquals(1, shard.metrics().pulls());
        final long used = table.statistics().heapBytesUsed();
        second.put(1, "long", VALUE_LENGTH);
        shard.doWork();
        final long version = second.answer().version();
        assertEquals(1, shard.metrics().pulls(), "the value was published before the other one was put");
        WriteAnswerDecoder answer = first.answer();
        for (int i = 0; i < ROUNDS && answer == null; i++)
        {
            shard.doWork();
            answer = first.answer();
        }
        assertEquals(Status.CONFLICT, answer.status());
        assertEquals(version, answer.version());
        assertTrue(find("long"));
        assertEquals(VALUE_LENGTH, found.valueLength());
        for (int i = 0; i < ROUNDS && table.statistics().heapBytesUsed() > used - LONG + 4096; i++)
        {
            shard.doWork();
        }
        assertTrue(table.statistics().heapBytesUsed() <= used - LONG + 4096, "extent of the value is not free");
    }

    @Test
    void shouldRefuseAtOnceWhatHasNoRoomAtAll()
    {
        first.putLong(1, "long");
        assertEquals(1, first.await(1, Status.STORE_FULL));
        assertEquals(0, table.statistics().recordsMoved());
    }

    @Test
    void shouldRefuseAPutWhenItsWaitEnds()
    {
        shard.close();
        start(TimeUnit.MILLISECONDS.toNanos(1));
        lendEveryTenth();
        first.putLong(1, "long");
        first.await(1, Status.STORE_FULL);
        first.put(2, key(1), VALUE_LENGTH);
        first.await(2, Status.OK);
    }

    @Test
    void shouldWaitForWhatIsLent()
    {
        final List<Long> held = lendEveryTenth();
        first.putLong(1, "long");
        int quiet = 0;
        for (int i = 0; i < ROUNDS && quiet < 5; i++)
        {
            quiet = shard.doWork() > 0 ? 0 : quiet + 1;
        }
        assertEquals(5, quiet, "the shard finds no rest while nothing can be done");
        assertNull(first.answer());
        held.forEach(table.lentValues()::release);
        first.await(1, Status.OK);
    }

    /** Room for the first put is lent, room for the second is there, but scattered. */
    @Test
    void shouldMakeRoomForAPutThoughAnotherBeforeItWaitsForWhatIsLent()
    {
        final List<Long> held = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            if (i % 8 == 0)
            {
                assertTrue(find(key(i)));
                held.add(table.lentValues().lend(found));
                delete(key(i));
            }
        }
        held.subList(held.size() / 2, held.size()).forEach(table.lentValues()::release);
        first.putLong(1, "long");
        shard.doWork();
        second.put(1, "short", 6_000);
        assertTrue(second.await(1, Status.OK) > 1);
        assertNull(first.answer());
        held.subList(0, held.size() / 2).forEach(table.lentValues()::release);
        first.await(1, Status.OK);
    }

    /** Deletes two of five records, and none stays together with many others. */
    private void scatter()
    {
        for (int i = 0; i < count; i++)
        {
            if (i % 5 == 0 || i % 5 == 2)
            {
                delete(key(i));
            }
        }
    }

    /** Lends one of ten records, and deletes half of the rest. */
    private List<Long> lendEveryTenth()
    {
        final List<Long> held = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            if (i % 10 == 0)
            {
                assertTrue(find(key(i)));
                held.add(table.lentValues().lend(found));
            }
            else if (i % 2 == 0)
            {
                delete(key(i));
            }
        }
        return held;
    }

    private static String key(final int number)
    {
        return String.format("%08d", number);
    }

    private Status put(final String key)
    {
        final int length = scratchKey(key);
        final Status status = table.put(
            hash(length), scratch.address(), length, scratch.address() + 4096, VALUE_LENGTH, new WriteResult());
        table.grow(SPLITS);
        return status;
    }

    /** Bytes that an append adds. */
    private static byte[] added(final int length)
    {
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++)
        {
            bytes[i] = (byte)(i % 127 + 1);
        }
        return bytes;
    }

    private void assertFound(final String key, final byte[]... parts)
    {
        assertTrue(find(key));
        final ByteBuffer expected = ByteBuffer.allocate(Stream.of(parts).mapToInt(part -> part.length).sum());
        Stream.of(parts).forEach(expected::put);
        final byte[] value = new byte[found.valueLength()];
        new UnsafeBuffer(found.valueAddress(), value.length).getBytes(0, value);
        assertArrayEquals(expected.array(), value);
    }

    private boolean find(final String key)
    {
        final int length = scratchKey(key);
        return table.find(hash(length), scratch.address(), length, found);
    }

    private void delete(final String key)
    {
        final int length = scratchKey(key);
        assertEquals(Status.OK, table.delete(hash(length), scratch.address(), length, new WriteResult()));
    }

    private int scratchKey(final String key)
    {
        for (int i = 0; i < key.length(); i++)
        {
            UnsafeApi.putByte(scratch.address() + i, (byte)key.charAt(i));
        }
        return key.length();
    }

    private long hash(final int length)
    {
        return keyHash.hash(scratch.address(), length);
    }

    private MemoryRange memory(final long length)
    {
        final long address = UnsafeApi.allocateMemory(length + 4096);
        allocations.add(address);
        UnsafeApi.setMemory(null, address, length + 4096, (byte)0);
        return new MemoryRange((address + 4095) & -4096, length);
    }
}
