package org.onesided.server.shard.execution;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.protocol.rpc.codec.AppendRequestEncoder;
import org.onesided.protocol.rpc.codec.ComputedAnswerDecoder;
import org.onesided.protocol.rpc.codec.ExpiryKind;
import org.onesided.protocol.rpc.codec.IncrementRequestEncoder;
import org.onesided.protocol.rpc.codec.MessageHeaderEncoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.rpc.codec.WriteAnswerDecoder;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.Superblock;
import org.onesided.server.table.Expiry;
import org.onesided.server.table.FoundRecord;
import org.onesided.server.table.GrowthPlan;
import org.onesided.server.table.ShardTable;
import org.onesided.server.table.WriteResult;
import org.onesided.verbs.NativeArray;

class ComputedWritesTest
{
    private static final byte[] KEY = "key".getBytes(US_ASCII);
    private static final int MESSAGE_LENGTH = 8192;
    private static final int MOST_ADDED = 4096;
    private static final int LONGEST = 65_536;
    private static final int FILLING = 8000;
    private static final Superblock SUPERBLOCK = GrowthPlan.of(1 << 20, 1, 1, 4096).superblock(1, 2, 3, 4);

    private final NativeArray memory = new NativeArray(SUPERBLOCK.regionLength());
    private final NativeArray messages = new NativeArray(MESSAGE_LENGTH + 2 * LONGEST);
    private final UnsafeBuffer message = new UnsafeBuffer(messages.range().address(), MESSAGE_LENGTH);
    private final UnsafeBuffer given =
        new UnsafeBuffer(messages.range().address() + MESSAGE_LENGTH, 2 * LONGEST);
    private final KeyHash keyHash = new KeyHash(SUPERBLOCK.hashSeed());
    private final ShardTable table = new ShardTable(memory.range(), SUPERBLOCK, 0, 1);
    private final ComputedWrites writes = new ComputedWrites(table);
    private final Request request = new Request(keyHash);
    private final WriteResult result = new WriteResult();

    @AfterEach
    void free()
    {
        messages.close();
        memory.close();
    }

    @Test
    void shouldAddToZeroOrToTheInitialNumberIfTheKeyIsAbsent()
    {
        assertEquals(Status.OK, increment(5, 0));
        assertEquals("5", text());
        assertEquals(5, writes.outcome());
        delete();
        assertEquals(Status.OK, increment(-7, 100));
        assertEquals("93", text());
        assertEquals(93, writes.outcome());
    }

    @Test
    void shouldAddToThePresentNumberWhateverTheInitialOne()
    {
        put("41");
        final long before = version();
        assertEquals(Status.OK, increment(1, 1000));
        assertEquals("42", text());
        assertTrue(version() > before);
        assertEquals(version(), result.version());
        assertEquals(Status.OK, increment(-142, 1000));
        assertEquals("-100", text());
        assertEquals(Status.OK, increment(0, 1000));
        assertEquals("-100", text());
    }

    @ParameterizedTest
    @CsvSource({
        "9223372036854775806, 1, 9223372036854775807",
        "-9223372036854775807, -1, -9223372036854775808",
        "-9223372036854775808, 9223372036854775807, -1",
        "9223372036854775807, -9223372036854775808, -1",
        "-1, -9223372036854775807, -9223372036854775808",
        "0, -9223372036854775808, -9223372036854775808"})
    void shouldReachTheBounds(final long before, final long delta, final long after)
    {
        put(Long.toString(before));
        assertEquals(Status.OK, increment(delta, 0));
        assertEquals(Long.toString(after), text());
        delete();
        assertEquals(Status.OK, increment(delta, before));
        assertEquals(Long.toString(after), text());
    }

    @ParameterizedTest
    @CsvSource({
        "9223372036854775807, 1", "-9223372036854775808, -1", "1, 9223372036854775807", "-1, -9223372036854775808",
        "9223372036854775807, 9223372036854775807", "-9223372036854775808, -9223372036854775808"})
    void shouldRefuseASumBeyondTheBounds(final long before, final long delta)
    {
        put(Long.toString(before));
        final long version = version();
        assertEquals(Status.OUT_OF_BOUNDS, increment(delta, 0));
        assertEquals(Long.toString(before), text());
        assertEquals(version, version());
        delete();
        assertEquals(Status.OUT_OF_BOUNDS, increment(delta, before));
        assertNull(text());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", " 1", "1 ", "+1", "-", "-0", "007", "1.5", "one", "9223372036854775808", "-9223372036854775809",
        "100000000000000000000000000"})
    void shouldRefuseToAddToWhatIsNoNumber(final String value)
    {
        put(value);
        final long version = version();
        assertEquals(Status.NOT_A_NUMBER, increment(1, 0));
        assertEquals(value, text());
        assertEquals(version, version());
    }

    @Test
    void shouldAppendToAValueOfAnyLengthAndToNone()
    {
        final byte[] all = new byte[LONGEST];
        int length = 0;
        for (int added = 0; length + added <= LONGEST; added = (added * 2 + 1) % (MOST_ADDED + 1))
        {
            final byte[] more = new byte[added];
            Arrays.fill(more, (byte)('a' + added % 23));
            System.arraycopy(more, 0, all, length, added);
            length += added;
            assertEquals(Status.OK, append(more));
            assertEquals(length, writes.outcome());
            assertEquals(version(), result.version());
            assertArrayEquals(Arrays.copyOf(all, length), value());
        }
        assertTrue(length > LONGEST - MOST_ADDED, "length=" + length);
    }

    @Test
    void shouldMakeAnAbsentKeyPresentByAnEmptyAppend()
    {
        assertEquals(Status.OK, append(new byte[0]));
        assertEquals("", text());
        assertEquals(0, writes.outcome());
    }

    @Test
    void shouldAppendUpToItsLimit()
    {
        assertEquals(Status.INVALID, append(new byte[MOST_ADDED + 1]));
        assertNull(value());
        assertEquals(Status.OK, append(new byte[MOST_ADDED]));
        assertEquals(MOST_ADDED, value().length);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, MOST_ADDED})
    void shouldMakeAValueOfUpTo64KibibytesByAppend(final int added)
    {
        put(new byte[LONGEST - added + 1]);
        final long version = version();
        assertEquals(Status.VALUE_TOO_LONG, append(new byte[added]));
        assertEquals(LONGEST - added + 1, value().length);
        assertEquals(version, version());
        put(new byte[LONGEST - added]);
        assertEquals(Status.OK, append(new byte[added]));
        assertEquals(LONGEST, value().length);
        assertEquals(Status.OK, append(new byte[0]));
        assertEquals(Status.VALUE_TOO_LONG, append(new byte[1]));
    }

    @Test
    void shouldRefuseToAppendNothingToAValueThatIsTooLong()
    {
        put(new byte[LONGEST + 1]);
        assertEquals(Status.VALUE_TOO_LONG, append(new byte[0]));
        assertEquals(LONGEST + 1, value().length);
    }

    @Test
    void shouldChangeNothingIfTheHeapIsFull()
    {
        put("9");
        final byte[] filling = new byte[FILLING];
        for (int i = 0; put("filling-" + i, filling) == Status.OK; i++)
        {
            // Until it is full.
        }
        for (int i = 0; put("rest-" + i, new byte[8]) == Status.OK; i++)
        {
            // Until nothing is left.
        }
        final long version = version();
        assertEquals(Status.STORE_FULL, append(new byte[MOST_ADDED]));
        assertEquals("9", text());
        assertEquals(version, version());
        // A number of as many granules is written in its place.
        assertEquals(Status.OK, increment(1, 0));
        assertEquals("10", text());
    }

    @Test
    void shouldKeepTheBytesThatAreLent()
    {
        put("41");
        final FoundRecord found = found();
        final long lent = table.lentValues().lend(found);
        final long address = found.valueAddress();
        assertEquals(Status.OK, increment(1, 0));
        assertEquals("42", text());
        assertEquals(Status.OK, append("0".getBytes(US_ASCII)));
        assertEquals("420", text());
        assertEquals("41", new UnsafeBuffer(address, 2).getStringWithoutLengthAscii(0, 2));
        assertTrue(table.lentValues().release(lent));
    }

    /** In place, and where the value gets longer and the record moves. */
    @Test
    void shouldKeepTheTimeOfTheKey()
    {
        put("41");
        final long time = System.currentTimeMillis() + 1_000_000;
        given.putBytes(0, KEY);
        final long address = given.addressOffset();
        assertEquals(Status.OK, table.touch(keyHash.hash(address, KEY.length), address, KEY.length, time, result));
        assertEquals(Status.OK, increment(1, 0));
        assertEquals("42", text());
        assertEquals(time, found().expiry());
        assertEquals(Status.OK, append(new byte[3000]));
        assertEquals(time, found().expiry());
        assertEquals(Status.OK, append(new byte[3000]));
        assertEquals(time, found().expiry());
    }

    /** Clients decode where the key's slot is in the same way for all writes. */
    @Test
    void shouldAnswerWithTheFieldsOfAWriteFirst()
    {
        assertEquals(WriteAnswerDecoder.slotWordEncodingOffset(), ComputedAnswerDecoder.slotWordEncodingOffset());
        assertEquals(WriteAnswerDecoder.versionEncodingOffset(), ComputedAnswerDecoder.versionEncodingOffset());
        assertEquals(
            WriteAnswerDecoder.bucketOffsetEncodingOffset(), ComputedAnswerDecoder.bucketOffsetEncodingOffset());
        assertEquals(WriteAnswerDecoder.slotIndexEncodingOffset(), ComputedAnswerDecoder.slotIndexEncodingOffset());
        assertEquals(WriteAnswerDecoder.statusEncodingOffset(), ComputedAnswerDecoder.statusEncodingOffset());
        assertTrue(ComputedAnswerDecoder.BLOCK_LENGTH > WriteAnswerDecoder.BLOCK_LENGTH);
    }

    private Status increment(final long delta, final long initial)
    {
        final int length = new IncrementRequestEncoder()
            .wrapAndApplyHeader(message, 0, new MessageHeaderEncoder())
            .requestId(1).delta(delta).initial(initial).expiry(0).expiryKind(ExpiryKind.KEEP)
            .putKey(KEY, 0, KEY.length).limit();
        assertTrue(request.wrap(message.addressOffset(), length));
        return writes.write(request, Expiry.KEEP, result);
    }

    private Status append(final byte[] more)
    {
        final int length = new AppendRequestEncoder()
            .wrapAndApplyHeader(message, 0, new MessageHeaderEncoder())
            .requestId(1).expiry(0).expiryKind(ExpiryKind.KEEP).putKey(KEY, 0, KEY.length)
            .putValue(more, 0, more.length).limit();
        assertTrue(request.wrap(message.addressOffset(), length));
        return writes.write(request, Expiry.KEEP, result);
    }

    private void put(final String value)
    {
        put(value.getBytes(US_ASCII));
    }

    private void put(final byte[] value)
    {
        assertEquals(Status.OK, put("key", value));
    }

    private Status put(final String key, final byte[] value)
    {
        given.putStringWithoutLengthAscii(0, key);
        given.putBytes(key.length(), value);
        final long address = given.addressOffset();
        return table.put(
            keyHash.hash(address, key.length()), address, key.length(), address + key.length(), value.length, result);
    }

    private void delete()
    {
        given.putBytes(0, KEY);
        final long address = given.addressOffset();
        assertEquals(Status.OK, table.delete(keyHash.hash(address, KEY.length), address, KEY.length, result));
    }

    private FoundRecord found()
    {
        given.putBytes(0, KEY);
        final long address = given.addressOffset();
        final FoundRecord found = new FoundRecord();
        return table.lookups().find(keyHash.hash(address, KEY.length), address, KEY.length, found) ? found : null;
    }

    private long version()
    {
        return found().version();
    }

    private byte[] value()
    {
        final FoundRecord found = found();
        if (found == null)
        {
            return null;
        }
        final byte[] value = new byte[found.valueLength()];
        new UnsafeBuffer(found.valueAddress(), value.length).getBytes(0, value);
        return value;
    }

    private String text()
    {
        final byte[] value = value();
        return value == null ? null : new String(value, US_ASCII);
    }
}
