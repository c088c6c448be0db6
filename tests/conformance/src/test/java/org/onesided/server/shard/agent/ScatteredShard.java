package org.onesided.server.shard.agent;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
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
import org.onesided.fuzz.Wire;
import org.onesided.protocol.rpc.codec.AppendRequestEncoder;
import org.onesided.protocol.rpc.codec.ConditionKind;
import org.onesided.protocol.rpc.codec.ExpiryKind;
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
import org.onesided.server.shard.session.ShardSession;
import org.onesided.server.table.FoundRecord;
import org.onesided.server.table.GrowthPlan;
import org.onesided.server.table.ShardTable;
import org.onesided.server.table.WriteResult;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.ReceiveRequests;

/**
 * A shard whose heap is full or scattered, which the test steps round by round, and two clients of it.
 */
abstract class ScatteredShard
{
    static final int MEMORY = 16 << 20;
    static final int LONG = 1 << 20;
    static final int VALUE_LENGTH = 112;
    static final int SPLITS = 16;
    static final int CREDITS = 8;
    static final int KEY_OF_MEMORY = 7;
    static final long NEVER_NS = TimeUnit.HOURS.toNanos(1);
    static final int ROUNDS = 100_000;
    static final SessionGeometry GEOMETRY = new SessionGeometry(CREDITS, 8192, CREDITS, 4, LONG, LONG);
    static final Superblock SUPERBLOCK = GrowthPlan.of(MEMORY, 1, 1, 4096).superblock(1, 2, 3, 4);

    final List<Long> allocations = new ArrayList<>();
    final MemoryRange tableMemory = memory(SUPERBLOCK.regionLength());
    final MemoryRange lent = memory(LONG);
    final MemoryRange scratch = memory(8192);
    final ReceiveRequests receives = new ReceiveRequests(1, 1);
    final KeyHash keyHash = new KeyHash(SUPERBLOCK.hashSeed());
    final ShardTable table = new ShardTable(tableMemory, SUPERBLOCK, 0, 1);
    final FoundRecord found = new FoundRecord();
    final Peer first = new Peer(0);
    final Peer second = new Peer(1);
    Shard shard;
    int count;
    int ended;

    /** A client of one session, at a device of its own. */
    final class Peer
    {
        final MemoryRange buffers = memory(GEOMETRY.bufferLength());
        final Wire wire = new Wire(tableMemory, buffers, lent, KEY_OF_MEMORY);
        final int device;
        final ShardSession session;
        CreditedQueuePair connection;

        Peer(final int device)
        {
            this.device = device;
            session = new ShardSession(device, GEOMETRY);
        }

        void connect()
        {
            wire.renew();
            connection = new CreditedQueuePair(
                session, false, wire, GEOMETRY, buffers, KEY_OF_MEMORY, 1, device, 1, shard.queuePairs().nextTag());
            connection.postReceives(receives);
            shard.queuePairs().attach(connection);
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

        void send(final UnsafeBuffer buffer, final int length)
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

    void start(final long roomWaitNs)
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

    byte[] nextOf(final Peer peer)
    {
        byte[] bytes = peer.wire.sent();
        for (int i = 0; bytes == null && i < ROUNDS; i++)
        {
            shard.doWork();
            bytes = peer.wire.sent();
        }
        return bytes;
    }

    /** Deletes two of five records, and none stays together with many others. */
    void scatter()
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
    List<Long> lendEveryTenth()
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

    static String key(final int number)
    {
        return String.format("%08d", number);
    }

    Status put(final String key)
    {
        final int length = scratchKey(key);
        final Status status = table.put(
            hash(length), scratch.address(), length, scratch.address() + 4096, VALUE_LENGTH, new WriteResult());
        table.grow(SPLITS);
        return status;
    }

    /** Bytes that an append adds. */
    static byte[] added(final int length)
    {
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++)
        {
            bytes[i] = (byte)(i % 127 + 1);
        }
        return bytes;
    }

    void assertFound(final String key, final byte[]... parts)
    {
        assertTrue(find(key));
        final ByteBuffer expected = ByteBuffer.allocate(Stream.of(parts).mapToInt(part -> part.length).sum());
        Stream.of(parts).forEach(expected::put);
        final byte[] value = new byte[found.valueLength()];
        new UnsafeBuffer(found.valueAddress(), value.length).getBytes(0, value);
        assertArrayEquals(expected.array(), value);
    }

    boolean find(final String key)
    {
        final int length = scratchKey(key);
        return table.lookups().find(hash(length), scratch.address(), length, found);
    }

    void delete(final String key)
    {
        final int length = scratchKey(key);
        assertEquals(Status.OK, table.delete(hash(length), scratch.address(), length, new WriteResult()));
    }

    int scratchKey(final String key)
    {
        for (int i = 0; i < key.length(); i++)
        {
            UnsafeApi.putByte(scratch.address() + i, (byte)key.charAt(i));
        }
        return key.length();
    }

    long hash(final int length)
    {
        return keyHash.hash(scratch.address(), length);
    }

    MemoryRange memory(final long length)
    {
        final long address = UnsafeApi.allocateMemory(length + 4096);
        allocations.add(address);
        UnsafeApi.setMemory(null, address, length + 4096, (byte)0);
        return new MemoryRange((address + 4095) & -4096, length);
    }
}
