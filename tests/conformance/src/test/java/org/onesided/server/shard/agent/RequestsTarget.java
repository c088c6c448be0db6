package org.onesided.server.shard.agent;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.onesided.server.shard.agent.RequestMessages.*;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.fuzz.FuzzTarget;
import org.onesided.fuzz.Refusal;
import org.onesided.fuzz.Wire;
import org.onesided.protocol.rpc.AppendLimits;
import org.onesided.protocol.rpc.codec.AppendRequestDecoder;
import org.onesided.protocol.rpc.codec.ConditionKind;
import org.onesided.protocol.rpc.codec.ExpiryKind;
import org.onesided.protocol.rpc.codec.GetAnswerDecoder;
import org.onesided.protocol.rpc.codec.GetRequestEncoder;
import org.onesided.protocol.rpc.codec.IncrementRequestDecoder;
import org.onesided.protocol.rpc.codec.MessageHeaderDecoder;
import org.onesided.protocol.rpc.codec.PutBatchRequestDecoder;
import org.onesided.protocol.rpc.codec.PutLargeRequestEncoder;
import org.onesided.protocol.rpc.codec.QualifiedPutLargeRequestEncoder;
import org.onesided.protocol.rpc.codec.ReleaseRequestEncoder;
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
 * Requests of one session to a shard that is stepped by this thread. An input is a
 * number of messages, each behind its length in 2 bytes. In them {@value #OWN_KEY} as the key of a value to be pulled
 * stands for memory of the session's own, and {@value #LENT_EXTENT} as an extent for the one that was lent last.
 *
 * <p>The shard must answer or end the session with a reason. Afterwards the keys that the messages name have values
 * that the messages hold, or that were pulled; these are taken out, and the table must be what it was: the same records
 * with the same bytes, and no more of the heap in use.
 */
public final class RequestsTarget implements FuzzTarget
{
    static final int OWN_KEY = 0x1111_1111;
    private static final int LENT_EXTENT = 0x2222_2222;
    private static final int TABLE_KEY = 3;
    private static final int BUFFERS_KEY = 4;
    private static final int PAGE = 4096;
    private static final byte LENT_BYTE = 0x5A;
    /** In receives, where no message is. */
    private static final byte POISON = (byte)0xEE;
    private static final int CREDITS = 8;
    static final int MESSAGE_LENGTH = 8192;
    private static final int MAX_MESSAGES = 32;
    private static final int BYSTANDERS = 100;
    private static final int VALUE_LENGTH = 40;
    private static final int LENT_LENGTH = 64 << 10;
    private static final int STEPS = 1_000_000;
    private static final int QUIET_STEPS = 20;
    private static final SessionGeometry GEOMETRY =
        new SessionGeometry(CREDITS, MESSAGE_LENGTH, CREDITS, 4, 16 << 10, 1 << 20);
    static final Superblock SUPERBLOCK = GrowthPlan.of(4 << 20, 1, 1, PAGE).superblock(1, 2, 3, 4);

    private final List<Long> allocations = new ArrayList<>();
    private final UnsafeBuffer scratch = new UnsafeBuffer(0, 0);
    private final MemoryRange tableMemory = memory(SUPERBLOCK.regionLength());
    private final MemoryRange buffers = memory(GEOMETRY.bufferLength());
    private final MemoryRange lent = memory(LENT_LENGTH);
    private final MemoryRange scratchMemory = memory(MESSAGE_LENGTH);
    private final Wire wire = new Wire(tableMemory, buffers, lent, OWN_KEY);
    private final ReceiveRequests receives = new ReceiveRequests(1, 1);
    private KeyHash keyHash;
    private ShardTable table;
    private Shard shard;
    private long usedBefore;
    private boolean hasEnded;
    private String reason;
    private long lentExtent;

    /**
     * For {@code ServiceLoader}.
     */
    public RequestsTarget()
    {
    }

    @Override
    public String name()
    {
        return "rpc-requests";
    }

    @Override
    public int maxLength()
    {
        return 24 << 10;
    }

    @Override
    public long maxAllocated(final int inputLength)
    {
        // A session of this geometry takes 1.3 MiB by itself.
        return (2L << 20) + 256L * inputLength;
    }

    @Override
    public List<byte[]> seeds()
    {
        final byte[] large = new byte[6000];
        return List.of(
            join(put(1, "a", new byte[100]), get(2, "a"), delete(3, "a"), get(4, "a")),
            join(put(1, "b", new byte[0]), put(2, "b", new byte[3000]), put(2, "b", new byte[1]), stat(3)),
            join(putLarge(1, "c", 50_000), get(2, "c"), release(3, LENT_EXTENT), release(4, LENT_EXTENT)),
            join(put(1, "d", large), get(2, "d"), get(3, "d"), release(4, LENT_EXTENT), delete(5, "d")),
            join(putLarge(1, "e", 20_000), putLarge(1, "e", 20_000), put(2, "e", large), putLarge(3, "f", 0)),
            join(put(1, "k".repeat(4096), new byte[10]), delete(2, "k".repeat(4096)), stat(3), stat(4)),
            join(put(5, "g", new byte[1]), put(1, "g", new byte[2]), put(40, "g", new byte[3]), stat(41)),
            join(putIf(1, ConditionKind.ABSENT, 0, "h", 50), putIf(2, ConditionKind.ABSENT, 0, "h", 60),
                putIf(2, ConditionKind.ABSENT, 0, "h", 60), putIf(3, ConditionKind.PRESENT, 0, "h", 3000)),
            join(putIf(1, ConditionKind.PRESENT, 0, "i", 10), put(2, "i", new byte[5]),
                putIf(3, ConditionKind.VERSION, 7, "i", 10), deleteIf(4, ConditionKind.VERSION, "i"),
                deleteIf(5, ConditionKind.PRESENT, "i"), deleteIf(6, ConditionKind.PRESENT, "i")),
            join(putLargeIf(1, ConditionKind.ABSENT, "j", 50_000), put(2, "j", new byte[9]),
                putLargeIf(1, ConditionKind.ABSENT, "j", 50_000), putLargeIf(3, ConditionKind.ABSENT, "j", 20_000)),
            join(increment(1, "l", 5, 10), increment(2, "l", Long.MAX_VALUE, 0), increment(2, "l", 1, 0),
                append(3, "l", 1), increment(4, "l", 1, 0), get(5, "l")),
            join(append(1, "m", 4096), append(2, "m", 4096), append(2, "m", 4096), append(3, "m", 4097), delete(4, "m"),
                append(5, "m", 0)),
            join(putLarge(1, "n", 65_000), append(2, "n", 536), append(3, "n", 1), increment(4, "n", -1, 0)),
            join(put(1, "o", 50, ExpiryKind.AFTER, 10), touch(2, "o", ExpiryKind.NEVER, 0), ttl(3, "o"),
                touch(4, "o", ExpiryKind.AT, 1), ttl(5, "o"), touch(6, "o", ExpiryKind.AFTER, 1), ttl(7, "o")),
            join(putLarge(1, "p", 50_000, ExpiryKind.AFTER, 99), touch(2, "p", ExpiryKind.AFTER, 5), ttl(3, "p"),
                putLarge(4, "p", 20_000, ExpiryKind.AT, 1), put(5, "p", 4090, ExpiryKind.KEEP, 0), get(6, "p")),
            join(put(1, "q", 4070, ExpiryKind.DEFAULT, 0), touch(2, "q", ExpiryKind.AFTER, 77), increment(3, "q", 1, 0),
                put(4, "q", 10, ExpiryKind.AFTER, 0)),
            join(putBatch(1, new int[]{100, 0, 3000}, "r", "s", "r"), get(2, "r"), putBatch(3, new int[]{9}, "t"),
                putBatch(1, new int[]{1}, "r"), putBatch(4, new int[]{1, 2}, "", "s"), delete(5, "s")),
            join(putLarge(1, "u", 50_000), putBatch(2, new int[]{1, 6000}, "u", "v"), put(3, "v", new byte[2])),
            join(stat(1), release(2, 4096), release(3, -1), get(4, "bystander-1"), get(5, "nobody")));
    }

    @Override
    public void feed(final byte[] input)
    {
        if (shard == null)
        {
            begin();
        }
        hasEnded = false;
        reason = null;
        lentExtent = 0;
        final List<byte[]> messages = messages(input);
        final ShardSession session = new ShardSession(1, GEOMETRY);
        wire.renew();
        UnsafeApi.setMemory(null, buffers.address(), buffers.length(), POISON);
        final CreditedQueuePair connection = new CreditedQueuePair(
            session, false, wire, GEOMETRY, buffers, BUFFERS_KEY, 1, 0, 1, shard.queuePairs().nextTag());
        connection.postReceives(receives);
        shard.queuePairs().attach(connection);
        shard.doWork();
        talk(messages);
        if (!hasEnded)
        {
            shard.queuePairs().end(connection);
        }
        for (int i = 0; !hasEnded; i++)
        {
            require(i < STEPS, "the session does not end");
            shard.doWork();
        }
        if (reason != null)
        {
            Refusal.check(reason, null);
            require(!reason.contains("server failed"), reason);
        }
        shard.forget(session);
        settle();
        compare(messages);
    }

    private void begin()
    {
        UnsafeApi.setMemory(null, lent.address(), lent.length(), LENT_BYTE);
        keyHash = new KeyHash(SUPERBLOCK.hashSeed());
        table = new ShardTable(tableMemory, SUPERBLOCK, 0, 1);
        shard = new Shard(0, 1, table, ShardEviction.begin(Eviction.NONE, table, 0, false), keyHash, GEOMETRY,
            List.of(new ShardDevice("wire", wire, wire, LocalKeys.of(TABLE_KEY))),
            new ShardListener()
            {
                @Override
                public void onEnded(final CreditedQueuePair connection, final String why)
                {
                    hasEnded = true;
                    reason = why;
                }

                @Override
                public void onBroken(final int device, final String why)
                {
                    throw new AssertionError("the shard's completion queue is broken: " + why);
                }

                @Override
                public void onFailed(final int failed, final RuntimeException cause)
                {
                    throw cause;
                }
            }, 0, new ShardClock(() -> 0, () -> 1_000_000), false, null);
        for (int i = 0; i < BYSTANDERS; i++)
        {
            final int keyLength = scratchKey(("bystander-" + i).getBytes(US_ASCII));
            scratch.setMemory(keyLength, VALUE_LENGTH, (byte)i);
            table.put(hash(keyLength), scratch.addressOffset(), keyLength, scratch.addressOffset() + keyLength,
                VALUE_LENGTH, new WriteResult());
        }
        settle();
        usedBefore = table.statistics().heapBytesUsed();
    }

    /** Steps the shard until nothing moves any more. */
    private void settle()
    {
        int quiet = 0;
        for (int i = 0; quiet < QUIET_STEPS; i++)
        {
            require(i < STEPS, "the shard does not come to rest");
            quiet = shard.doWork() > 0 ? 0 : quiet + 1;
        }
    }

    /** Sends all, as fast as there are receives; takes the answers. */
    private void talk(final List<byte[]> messages)
    {
        for (final byte[] message : messages)
        {
            boolean isSent = wire.send(patched(message));
            for (int i = 0; !isSent && !hasEnded && i < QUIET_STEPS; i++)
            {
                shard.doWork();
                isSent = wire.send(patched(message));
            }
            // Two at a time, so that there are requests that wait.
            if (message.length % 2 == 0)
            {
                shard.doWork();
            }
            takeAnswers();
        }
        settle();
        takeAnswers();
    }

    private void takeAnswers()
    {
        for (byte[] bytes = wire.sent(); bytes != null; bytes = wire.sent())
        {
            final UnsafeBuffer answer = new UnsafeBuffer(bytes);
            if (new MessageHeaderDecoder().wrap(answer, 0).templateId() == GetAnswerDecoder.TEMPLATE_ID)
            {
                final long extent =
                    new GetAnswerDecoder().wrapAndApplyHeader(answer, 0, new MessageHeaderDecoder()).extent();
                lentExtent = extent == 0 ? lentExtent : extent;
            }
        }
    }

    private void compare(final List<byte[]> messages)
    {
        for (final byte[] message : messages)
        {
            for (final byte[] key : keys(message))
            {
                if (!isBystander(key))
                {
                    checkValue(key, messages);
                    scratchKey(key);
                    table.delete(hash(key.length), scratch.addressOffset(), key.length, new WriteResult());
                }
            }
        }
        settle();
        final FoundRecord found = new FoundRecord();
        for (int i = 0; i < BYSTANDERS; i++)
        {
            final int keyLength = scratchKey(("bystander-" + i).getBytes(US_ASCII));
            require(table.lookups().find(hash(keyLength), scratch.addressOffset(), keyLength, found) &&
                found.valueLength() == VALUE_LENGTH, "a record that nobody named has gone: number=" + i);
            final UnsafeBuffer value = new UnsafeBuffer(found.valueAddress(), VALUE_LENGTH);
            for (int k = 0; k < VALUE_LENGTH; k++)
            {
                require(value.getByte(k) == i, "a record that nobody named has changed: number=" + i);
            }
        }
        require(table.statistics().records() == BYSTANDERS,
            "records are left: records=" + table.statistics().records());
        require(table.statistics().heapBytesUsed() == usedBefore,
            "memory is left: used=" + table.statistics().heapBytesUsed() + " before=" + usedBefore);
    }

    /**
     * A value is bytes of a message, or of the memory that is lent, and nothing beside these. An increment makes a
     * number, and an append a value of bytes of several messages.
     */
    private void checkValue(final byte[] key, final List<byte[]> messages)
    {
        final FoundRecord found = new FoundRecord();
        scratchKey(key);
        if (!table.lookups().find(hash(key.length), scratch.addressOffset(), key.length, found))
        {
            return;
        }
        final byte[] value = new byte[found.valueLength()];
        new UnsafeBuffer(found.valueAddress(), value.length).getBytes(0, value);
        boolean isLent = value.length <= LENT_LENGTH;
        for (int i = 0; isLent && i < value.length; i++)
        {
            isLent = value[i] == LENT_BYTE;
        }
        require(isLent || isComputed(value, messages) ||
            messages.stream().anyMatch((message) -> endsWith(message, value)),
            "a value that nobody sent: length=" + value.length);
    }

    /** Whether increments or appends may have made a value. */
    private static boolean isComputed(final byte[] value, final List<byte[]> messages)
    {
        return messages.stream().anyMatch(message -> isOf(message, IncrementRequestDecoder.TEMPLATE_ID)) &&
            new String(value, US_ASCII).matches("0|-?[1-9][0-9]{0,18}") ||
            value.length <= AppendLimits.MAX_VALUE_LENGTH &&
                messages.stream().anyMatch(message -> isOf(message, AppendRequestDecoder.TEMPLATE_ID)) &&
                isMadeOf(value, messages);
    }

    private static boolean isOf(final byte[] message, final int templateId)
    {
        return message.length >= MessageHeaderDecoder.ENCODED_LENGTH && message[2] == templateId;
    }

    /** Whether each byte is one of a message's, or of the lent memory, or a digit of a number. */
    private static boolean isMadeOf(final byte[] value, final List<byte[]> messages)
    {
        final boolean[] known = new boolean[256];
        known[LENT_BYTE] = true;
        for (final byte digit : "-0123456789".getBytes(US_ASCII))
        {
            known[digit] = true;
        }
        for (final byte[] message : messages)
        {
            for (final byte one : message)
            {
                known[one & 0xFF] = true;
            }
        }
        for (final byte one : value)
        {
            if (!known[one & 0xFF])
            {
                return false;
            }
        }
        return true;
    }

    /** A value is the last that a message holds, but for what a later version may have put behind it. */
    private static boolean endsWith(final byte[] message, final byte[] value)
    {
        for (int at = message.length - value.length; at >= 0; at--)
        {
            if (Arrays.equals(message, at, at + value.length, value, 0, value.length))
            {
                return true;
            }
        }
        return false;
    }

    /** Nobody writes to these; one that was made by chance is put out of the way. */
    private static boolean isBystander(final byte[] key)
    {
        return new String(key, US_ASCII).startsWith("bystander-");
    }

    /** A second, slow reading: the keys that a message names, if it may name some. */
    private static List<byte[]> keys(final byte[] message)
    {
        final List<byte[]> keys = new ArrayList<>();
        if (message.length < MessageHeaderDecoder.ENCODED_LENGTH)
        {
            return keys;
        }
        final ByteBuffer buffer = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
        final boolean isBatch = isOf(message, PutBatchRequestDecoder.TEMPLATE_ID);
        int at = MessageHeaderDecoder.ENCODED_LENGTH + (buffer.getShort(0) & 0xFFFF);
        do
        {
            final int begin = at + Short.BYTES;
            at = begin > message.length ? Integer.MAX_VALUE : begin + (buffer.getShort(at) & 0xFFFF);
            if (at > message.length)
            {
                return keys;
            }
            if (at > begin && at - begin <= 4096)
            {
                keys.add(Arrays.copyOfRange(message, begin, at));
            }
            final int valueLength = isBatch && message.length - at >= Integer.BYTES ? buffer.getInt(at) : -1;
            at = valueLength < 0 || valueLength > message.length - at - Integer.BYTES ? message.length :
                at + Integer.BYTES + valueLength;
        }
        while (at < message.length);
        return keys;
    }

    private List<byte[]> messages(final byte[] input)
    {
        final List<byte[]> messages = new ArrayList<>();
        final ByteBuffer buffer = ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN);
        while (buffer.remaining() >= Short.BYTES && messages.size() < MAX_MESSAGES)
        {
            final byte[] message = new byte[Math.min(
                Math.min(buffer.getShort() & 0xFFFF, MESSAGE_LENGTH), buffer.remaining())];
            buffer.get(message);
            // A write to one of those would be no mistake of the server's.
            if (keys(message).stream().noneMatch(RequestsTarget::isBystander) ||
                message[2] == GetRequestEncoder.TEMPLATE_ID)
            {
                messages.add(message);
            }
        }
        return messages;
    }

    private byte[] patched(final byte[] message)
    {
        final byte[] patched = message.clone();
        final UnsafeBuffer buffer = new UnsafeBuffer(patched);
        final boolean isPull = patched.length >= 32 &&
            (buffer.getShort(2) == PutLargeRequestEncoder.TEMPLATE_ID ||
                buffer.getShort(2) == QualifiedPutLargeRequestEncoder.TEMPLATE_ID);
        if (isPull && buffer.getInt(28) == OWN_KEY)
        {
            buffer.putLong(16, lent.address() + buffer.getLong(16));
        }
        if (patched.length >= 24 && buffer.getShort(2) == ReleaseRequestEncoder.TEMPLATE_ID &&
            buffer.getLong(16) == LENT_EXTENT)
        {
            buffer.putLong(16, lentExtent);
        }
        return patched;
    }

    /** Of the first bytes of the scratch memory. */
    private long hash(final int keyLength)
    {
        return keyHash.hash(scratch.addressOffset(), keyLength);
    }

    private int scratchKey(final byte[] key)
    {
        scratch.wrap(scratchMemory.address(), MESSAGE_LENGTH);
        scratch.putBytes(0, key);
        return key.length;
    }

    private static void require(final boolean condition, final String what)
    {
        if (!condition)
        {
            throw new AssertionError(what);
        }
    }

    private MemoryRange memory(final long length)
    {
        final long address = UnsafeApi.allocateMemory(length + PAGE);
        allocations.add(address);
        UnsafeApi.setMemory(null, address, length + PAGE, (byte)0);
        return new MemoryRange((address + PAGE - 1) & -PAGE, length);
    }

    @Override
    public void close()
    {
        if (shard != null)
        {
            shard.close();
        }
        receives.close();
        allocations.forEach(UnsafeApi::freeMemory);
        allocations.clear();
    }
}
