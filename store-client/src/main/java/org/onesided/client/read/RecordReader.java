package org.onesided.client.read;

import org.agrona.UnsafeApi;
import org.onesided.client.session.Counters;
import org.onesided.client.session.RegionReader;
import org.onesided.client.session.RegisteredBuffer;
import org.onesided.client.session.Table;
import org.onesided.protocol.table.DeadRecordDescriptor;
import org.onesided.protocol.table.KeyBytes;
import org.onesided.protocol.table.RecordCheck;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.SlotWord;

/**
 * READs the record of a slot word into private memory, and judges it there. No byte is trusted before the check code
 * holds: offsets and lengths are limited to the shard's heap, and a record that exceeds it counts as changing. Not
 * thread-safe.
 */
final class RecordReader
{
    /** What a record READ showed. */
    static final int LIVE = 0;
    /** The record is no more. */
    static final int DEAD = 1;
    /** Being written, torn, no record at all, or one whose flags only the server knows. */
    static final int CHANGING = 2;
    /** There is no memory where the slot points: the slot word is old, or was misread. */
    static final int UNREACHABLE = 3;

    /** Length of the longest record that is read at once. */
    static final int MAX_SHORT_LENGTH = SlotWord.MAX_SHORT_LENGTH;

    /** Gives room for long records. */
    interface LongRecordSpace
    {
        /** A buffer of at least that length; the same one for the whole operation if it is long enough. */
        RegisteredBuffer longRecord(long length);
    }

    private final RegionReader reader;
    private final Table table;
    private final RecordCheck check;
    private final RegisteredBuffer shortSpace;
    private final LongRecordSpace longSpace;
    private final Counters counters;

    private long address;
    private int keyLength;
    private int valueLength;
    private int flags;

    RecordReader(
        final RegionReader reader,
        final Table table,
        final RegisteredBuffer shortSpace,
        final LongRecordSpace longSpace,
        final Counters counters)
    {
        this.reader = reader;
        this.table = table;
        this.check = table.recordCheck();
        this.shortSpace = shortSpace;
        this.longSpace = longSpace;
        this.counters = counters;
    }

    /** READs and judges the record of a slot. */
    int read(final int shard, final long slotWord)
    {
        final long offset = table.shard(shard).recordOffset(slotWord);
        if (SlotWord.isLong(slotWord))
        {
            return readLong(shard, offset);
        }
        final int length = readLength(shard, slotWord);
        if (length == 0 || !reader.reaches(shard, offset, length))
        {
            return UNREACHABLE;
        }
        fetch(shard, offset, length, shortSpace, 0);
        return judge(shortSpace.addressOf(0, length), length, offset);
    }

    /** Whether a slot points at memory of the shard's heap, and at a record that is read at once. */
    boolean isShort(final int shard, final long slotWord)
    {
        final int length = SlotWord.isLong(slotWord) ? 0 : readLength(shard, slotWord);
        return length > 0 && reader.reaches(shard, table.shard(shard).recordOffset(slotWord), length);
    }

    /** Adds a READ of the record of a slot that {@link #isShort} was true for, to be judged when it is there. */
    void enqueue(final int shard, final long slotWord, final RegisteredBuffer target, final long targetOffset)
    {
        final int length = readLength(shard, slotWord);
        reader.enqueue(shard, table.shard(shard).recordOffset(slotWord), length, target, targetOffset);
        count(length);
    }

    /**
     * How many bytes to READ for a slot of a record that is not long: as many as it says, but none from behind the
     * heap's end, where no record is. 0 if no record can be there.
     */
    int readLength(final int shard, final long slotWord)
    {
        final ShardLayout layout = table.shard(shard);
        final long place = SlotWord.heapOffset(slotWord);
        final long length = Math.min(SlotWord.length(slotWord), layout.heapLength() - place);
        return length > RecordDescriptor.HEADER_LENGTH ? (int)length : 0;
    }

    /**
     * Judges a record.
     *
     * @param at        of its bytes, here.
     * @param available how many there are.
     * @param offset    its table offset.
     */
    int judge(final long at, final long available, final long offset)
    {
        final int outcome = judgeHeader(at);
        if (outcome != LIVE)
        {
            return outcome;
        }
        final int whole = judgeBytes(at, available, offset);
        if (whole != LIVE)
        {
            counters.increment(Counters.TORN_READS);
        }
        return whole;
    }

    private int judgeBytes(final long at, final long available, final long offset)
    {
        final long length = RecordDescriptor.length(keyLength, valueLength, flags);
        return length <= available && UnsafeApi.getLong(at) == check.code(at, length, offset) ? LIVE : CHANGING;
    }

    /**
     * Where the record last judged dead is now, if it tells; only a hint.
     *
     * @param fingerprint of the key that was looked for.
     * @return a slot word with the fingerprint that points into the shard's heap, or {@link SlotWord#EMPTY}.
     */
    long forward(final int shard, final int fingerprint)
    {
        final long word = UnsafeApi.getLong(address + DeadRecordDescriptor.FORWARD_OFFSET);
        final long offset = table.shard(shard).recordOffset(word);
        final boolean isPlausible = SlotWord.fingerprint(word) == fingerprint && (SlotWord.isLong(word) ?
            table.shard(shard).heapContains(offset, RecordDescriptor.HEADER_LENGTH) :
            readLength(shard, word) > 0);
        return isPlausible ? word : SlotWord.EMPTY;
    }

    /** Of the record last judged live. */
    long version()
    {
        return UnsafeApi.getLong(address + RecordDescriptor.VERSION_OFFSET);
    }

    /** Where the record last judged begins, here. */
    long headAddress()
    {
        return address;
    }

    /** Whether a check word and version, READ anew, are those of the record last judged live. */
    boolean hasHead(final long head)
    {
        return UnsafeApi.getLong(head + RecordDescriptor.CHECK_OFFSET) ==
            UnsafeApi.getLong(address + RecordDescriptor.CHECK_OFFSET) &&
            UnsafeApi.getLong(head + RecordDescriptor.VERSION_OFFSET) == version();
    }

    long keyAddress()
    {
        return address + RecordDescriptor.KEY_OFFSET;
    }

    int keyLength()
    {
        return keyLength;
    }

    long valueAddress()
    {
        return keyAddress() + keyLength;
    }

    int valueLength()
    {
        return valueLength;
    }

    /** Expiry of the record last judged live; {@link RecordDescriptor#NEVER} if it has none. */
    long expiry()
    {
        return RecordDescriptor.hasExpiry(flags) ? UnsafeApi.getLong(valueAddress() + valueLength) :
            RecordDescriptor.NEVER;
    }

    /** Whether the record last judged live has this key. */
    boolean hasKey(final long otherKey, final int otherLength)
    {
        return keyLength == otherLength && KeyBytes.equal(keyAddress(), otherKey, otherLength);
    }

    private int readLong(final int shard, final long offset)
    {
        final ShardLayout layout = table.shard(shard);
        if (!layout.heapContains(offset, RecordDescriptor.HEADER_LENGTH) ||
            !reader.reaches(shard, offset, RecordDescriptor.HEADER_LENGTH))
        {
            return UNREACHABLE;
        }
        fetch(shard, offset, RecordDescriptor.HEADER_LENGTH, shortSpace, 0);
        final long header = shortSpace.addressOf(0, RecordDescriptor.HEADER_LENGTH);
        final int outcome = judgeHeader(header);
        if (outcome != LIVE)
        {
            return outcome;
        }
        final long length = RecordDescriptor.length(keyLength, valueLength, flags);
        if (!layout.heapContains(offset, length) || !reader.reaches(shard, offset, length))
        {
            return CHANGING;
        }
        final RegisteredBuffer space = length <= shortSpace.length() ? shortSpace : longSpace.longRecord(length);
        // The header stays the one whose check word says when the record was whole.
        UnsafeApi.copyMemory(
            header, space.addressOf(0, RecordDescriptor.HEADER_LENGTH), RecordDescriptor.HEADER_LENGTH);
        fetch(
            shard,
            offset + RecordDescriptor.HEADER_LENGTH,
            length - RecordDescriptor.HEADER_LENGTH,
            space,
            RecordDescriptor.HEADER_LENGTH);
        return judge(space.addressOf(0, length), length, offset);
    }

    private int judgeHeader(final long at)
    {
        address = at;
        final long code = UnsafeApi.getLong(at + RecordDescriptor.CHECK_OFFSET);
        if (code == RecordDescriptor.DEAD)
        {
            return DEAD;
        }
        keyLength = UnsafeApi.getShort(at + RecordDescriptor.KEY_LENGTH_OFFSET) & 0xFFFF;
        valueLength = UnsafeApi.getInt(at + RecordDescriptor.VALUE_LENGTH_OFFSET);
        flags = UnsafeApi.getShort(at + RecordDescriptor.FLAGS_OFFSET);
        return code == RecordDescriptor.BEING_WRITTEN ||
            !RecordDescriptor.areKnown(flags) ||
            keyLength < RecordDescriptor.MIN_KEY_LENGTH || keyLength > RecordDescriptor.MAX_KEY_LENGTH ||
            valueLength < 0 || valueLength > RecordDescriptor.MAX_VALUE_LENGTH ? CHANGING : LIVE;
    }

    private void fetch(
        final int shard, final long offset, final long length, final RegisteredBuffer target, final long targetOffset)
    {
        reader.read(shard, offset, length, target, targetOffset);
        count(length);
    }

    private void count(final long length)
    {
        counters.increment(Counters.RECORD_READS);
        counters.add(Counters.BYTES_READ, length);
    }
}
