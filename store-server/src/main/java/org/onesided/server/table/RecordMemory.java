package org.onesided.server.table;

import static org.onesided.protocol.table.RecordDescriptor.*;

import org.agrona.UnsafeApi;
import org.onesided.protocol.table.DeadRecordDescriptor;
import org.onesided.protocol.table.KeyBytes;
import org.onesided.protocol.table.RecordCheck;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.SlotWord;

/**
 * A shard's records as raw memory: reading them, and the steps of writing them in the orders that readers rely on.
 * Addressed by table offsets, which its callers took from slots and extents of their own.
 */
final class RecordMemory
{
    /** Longest record, in whole granules, that a put overwrites in place; in bytes. */
    static final int MAX_IN_PLACE_LENGTH = 4096;

    private static final int LINE_LENGTH = 64;
    private static final int FETCH_LENGTH = 4 * LINE_LENGTH;

    private final long base;
    private final ShardLayout layout;
    private final RecordCheck check;

    /**
     * @param base   raw address of table offset 0.
     * @param layout of the shard.
     * @param check  of the table.
     */
    RecordMemory(final long base, final ShardLayout layout, final RecordCheck check)
    {
        this.base = base;
        this.layout = layout;
        this.check = check;
    }

    /** Whether there may be records of these lengths. */
    static boolean areValid(final int keyLength, final int valueLength)
    {
        return keyLength >= RecordDescriptor.MIN_KEY_LENGTH && keyLength <= RecordDescriptor.MAX_KEY_LENGTH &&
            valueLength >= 0 && valueLength <= RecordDescriptor.MAX_VALUE_LENGTH;
    }

    long address(final long offset)
    {
        return base + offset;
    }

    /** Table offset of a slot's record. */
    long offset(final long slotWord)
    {
        return layout.recordOffset(slotWord);
    }

    /** Slot word of a record. */
    long word(final int fingerprint, final long length, final long offset)
    {
        return layout.slotWord(fingerprint, length, offset);
    }

    /** Looks at a record's first lines. */
    long fetch(final long offset, final int length)
    {
        final int end = Math.min(length, FETCH_LENGTH);
        long sum = 0;
        for (int at = 0; at < end; at += LINE_LENGTH)
        {
            sum += UnsafeApi.getLong(base + offset + at);
        }
        return sum;
    }

    int keyLength(final long offset)
    {
        return Short.toUnsignedInt(UnsafeApi.getShort(base + offset + KEY_LENGTH_OFFSET));
    }

    int valueLength(final long offset)
    {
        return UnsafeApi.getInt(base + offset + VALUE_LENGTH_OFFSET);
    }

    long version(final long offset)
    {
        return UnsafeApi.getLong(base + offset + VERSION_OFFSET);
    }

    /** Check word of a record that is live. */
    long check(final long offset)
    {
        return UnsafeApi.getLong(base + offset + CHECK_OFFSET);
    }

    /** Table offset of a record's value. */
    long valueOffset(final long offset)
    {
        return offset + KEY_OFFSET + keyLength(offset);
    }

    long keyAddress(final long offset)
    {
        return base + offset + KEY_OFFSET;
    }

    /** Length of a record without its tail. */
    long length(final long offset)
    {
        return RecordDescriptor.length(keyLength(offset), valueLength(offset), flags(offset));
    }

    private int flags(final long offset)
    {
        return UnsafeApi.getShort(base + offset + FLAGS_OFFSET);
    }

    boolean hasExpiry(final long offset)
    {
        return RecordDescriptor.hasExpiry(flags(offset));
    }

    /** Table offset of the expiry of a record that has one. */
    long expiryOffset(final long offset)
    {
        return offset + length(offset) - EXPIRY_LENGTH;
    }

    /** Expiry at a table offset. */
    long expiryAt(final long expiryOffset)
    {
        return UnsafeApi.getLong(base + expiryOffset);
    }

    /** Gives a record that has an expiry another one, while nobody reads it. */
    void writeExpiry(final long offset, final long expiry)
    {
        UnsafeApi.putLong(base + expiryOffset(offset), expiry);
    }

    /** Gives a live record that has an expiry another one, in place. */
    void changeExpiry(final long offset, final long before, final long expiry)
    {
        final long recoded = RecordCheck.recode(check(offset), before, expiry);
        beginWrite(offset);
        writeExpiry(offset, expiry);
        publish(offset, recoded != 0 ? recoded : code(base + offset, length(offset), offset));
    }

    boolean hasKey(final long offset, final long key, final int keyLength)
    {
        return keyLength(offset) == keyLength && KeyBytes.equal(base + offset + KEY_OFFSET, key, keyLength);
    }

    /** Writes header and key, all but the check word and the version, at a raw address. */
    static void writeHeader(
        final long address, final long key, final int keyLength, final int valueLength, final int flags)
    {
        UnsafeApi.putShort(address + FLAGS_OFFSET, (short)flags);
        UnsafeApi.putShort(address + KEY_LENGTH_OFFSET, (short)keyLength);
        UnsafeApi.putInt(address + VALUE_LENGTH_OFFSET, valueLength);
        UnsafeApi.copyMemory(key, address + KEY_OFFSET, keyLength);
    }

    /** Writes all behind the value: the expiry, if the flags have one, and zeroes to the end of the last granule. */
    static void writeTail(final long address, final long length, final int flags, final long expiry)
    {
        if (RecordDescriptor.hasExpiry(flags))
        {
            UnsafeApi.putLong(address + length - EXPIRY_LENGTH, expiry);
        }
        final long end = SlotWord.granules(length) * SlotWord.GRANULE;
        if (end > length)
        {
            UnsafeApi.setMemory(address + length, end - length, (byte)0);
        }
    }

    /** Copies all of a record but its check word, tail included. */
    void copyBody(final long from, final long to, final long length)
    {
        copyPart(from, to, VERSION_OFFSET, length - VERSION_OFFSET);
    }

    /**
     * Copies a part of a record that is not its check word. The places may overlap, if parts are copied in their order
     * and the new place is the lower one.
     *
     * @param at     where the part begins in the record, in bytes.
     * @param length of the part, in bytes.
     */
    void copyPart(final long from, final long to, final long at, final long length)
    {
        UnsafeApi.copyMemory(base + from + at, base + to + at, length);
    }

    /** Overwrites all of a record but its check word with what was prepared at a raw address. */
    void overwriteBody(final long address, final long offset, final long length)
    {
        UnsafeApi.copyMemory(address + VERSION_OFFSET, base + offset + VERSION_OFFSET, length - VERSION_OFFSET);
    }

    static void writeVersion(final long address, final long version)
    {
        UnsafeApi.putLong(address + VERSION_OFFSET, version);
    }

    /** Marks a record as being written, before any byte of its body changes. */
    void beginWrite(final long offset)
    {
        UnsafeApi.putLongOpaque(null, base + offset + CHECK_OFFSET, BEING_WRITTEN);
        UnsafeApi.storeStoreFence();
    }

    /** Marks a record as dead, after all that was written before. */
    void kill(final long offset)
    {
        UnsafeApi.storeStoreFence();
        UnsafeApi.putLongOpaque(null, base + offset + CHECK_OFFSET, DEAD);
    }

    /** Makes a record live: a linearization point. */
    void publish(final long offset, final long code)
    {
        UnsafeApi.putLongRelease(null, base + offset + CHECK_OFFSET, code);
    }

    /** The code of a record written whole at {@code address}, to be published at {@code offset}. */
    long code(final long address, final long length, final long offset)
    {
        return check.code(address, length, offset);
    }

    /**
     * Leaves in a dead record the slot word of the one that took its place, after that became live.
     *
     * @param word or {@link SlotWord#EMPTY} if none did.
     */
    void forward(final long offset, final long word)
    {
        UnsafeApi.storeStoreFence();
        UnsafeApi.putLongOpaque(null, base + offset + DeadRecordDescriptor.FORWARD_OFFSET, word);
    }

    /**
     * Zeroes what a dead record leaves, after its death, but for what {@link DeadRecordDescriptor} tells of.
     *
     * @param from   where in the record to begin, in bytes.
     * @param length of what is zeroed, in bytes, what is kept included.
     */
    void zero(final long offset, final long from, final long length)
    {
        UnsafeApi.storeStoreFence();
        final long kept = Math.max(0, DeadRecordDescriptor.LENGTH - from);
        UnsafeApi.setMemory(base + offset + from + kept, length - kept, (byte)0);
    }
}
