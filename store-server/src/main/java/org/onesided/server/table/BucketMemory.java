package org.onesided.server.table;

import static org.onesided.protocol.table.BucketDescriptor.*;

import org.agrona.UnsafeApi;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.SlotWord;

/**
 * Headers and slots of buckets, by table offsets. Each store comes after all that was written before. Belongs to one
 * thread; readers READ at any moment.
 */
final class BucketMemory
{
    private final long base;
    private final long epoch;
    /** Of the slots, or null where none are kept. */
    private SlotStates states;

    /**
     * @param base  address of table offset 0.
     * @param epoch of live buckets.
     */
    BucketMemory(final long base, final long epoch)
    {
        this.base = base;
        this.epoch = epoch;
    }

    /** Keeps states of the slots from here on. */
    void keep(final SlotStates kept)
    {
        states = kept;
    }

    /** State of a slot; 0 where none are kept. */
    short state(final long offset, final int index)
    {
        return states == null ? 0 : states.get(offset, index);
    }

    void state(final long offset, final int index, final short state)
    {
        if (states != null)
        {
            states.set(offset, index, state);
        }
    }

    /** The buckets before one are split. */
    void forgetStatesBefore(final long offset)
    {
        if (states != null)
        {
            states.forgetBefore(offset);
        }
    }

    /** Makes a bucket live and empty, with no bucket behind it. */
    void format(final long offset)
    {
        for (int i = 0; i < SLOT_COUNT; i++)
        {
            word(offset, i, SlotWord.EMPTY);
        }
        makeLive(offset, -1);
    }

    /** Makes a bucket live whose slots are filled: it begins with tag 0, and has a bucket behind it, or -1. */
    void makeLive(final long offset, final long overflow)
    {
        header(offset, BucketDescriptor.header(LIVE, epoch, 0, overflow));
    }

    long header(final long offset)
    {
        return UnsafeApi.getLong(base + offset + HEADER_OFFSET);
    }

    void header(final long offset, final long header)
    {
        UnsafeApi.putLongRelease(null, base + offset + HEADER_OFFSET, header);
    }

    long word(final long offset, final int index)
    {
        return UnsafeApi.getLong(base + offset + slotOffset(index));
    }

    void word(final long offset, final int index, final long word)
    {
        UnsafeApi.putLongRelease(null, base + offset + slotOffset(index), word);
    }

    /** The last slot of a bucket that holds a key, or -1. */
    int lastTaken(final long offset)
    {
        int i = SLOT_COUNT - 1;
        while (i >= 0 && word(offset, i) == SlotWord.EMPTY)
        {
            i--;
        }
        return i;
    }
}
