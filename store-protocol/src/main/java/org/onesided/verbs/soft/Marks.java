package org.onesided.verbs.soft;

import org.agrona.BitUtil;
import org.agrona.UnsafeApi;

/**
 * A bit for each resting queue pair of a completion queue, in memory that peers reach. A poll looks at these words
 * instead of at each queue pair. Thread-safe, between processes, too.
 *
 * <pre>
 *   0         4                              64
 *  +---------+------------------------------+
 *  | wake-up | padding to 64                |   what to wake the completion queue's threads for
 *  +---------+------------------------------+
 *  | {@link #CAPACITY} bits, in words of 64              |   set by peers, taken by the owner
 *  +----------------------------------------+
 * </pre>
 *
 * <p>Nothing is lost: a peer puts its message, sets the bit, and then asks whether to wake somebody. The owner says
 * that it wants to be woken, takes the bits, looks at their queue pairs, and sleeps. Setting and taking are atomic
 * operations on one word, so who takes a bit sees the message; and with a full fence between each side's store and its
 * load, a peer sees the wish or the owner the bit.
 */
public final class Marks implements AutoCloseable
{
    /** No mark: the queue pair never rests. */
    public static final int NONE = -1;
    /** Queue pairs that can have one. */
    public static final int CAPACITY = 16384;

    private static final int WAKE_UPS_OFFSET = 0;
    private static final int WORDS_OFFSET = WAKE_UPS_OFFSET + BitUtil.CACHE_LINE_LENGTH;

    /** Bytes that it takes. */
    public static final int LENGTH = WORDS_OFFSET + CAPACITY / Byte.SIZE;

    private final long address;
    private final int number;
    private final Runnable onClosed;

    /**
     * @param address  of {@link #LENGTH} bytes, aligned to a cache line, which were zero at first.
     * @param number   by which peers find them, from 1.
     * @param onClosed frees them.
     */
    public Marks(final long address, final int number, final Runnable onClosed)
    {
        this.address = address;
        this.number = number;
        this.onClosed = onClosed;
    }

    /**
     * @return by which peers find them.
     */
    public int number()
    {
        return number;
    }

    /**
     * Marks a queue pair. What the caller did for it before, and a full fence after that, precede the mark.
     *
     * @param mark of the queue pair, from 0 and below {@link #CAPACITY}.
     */
    public void set(final int mark)
    {
        final long word = wordAddress(mark / Long.SIZE);
        final long bit = 1L << mark;
        // A set bit has not been taken yet: whoever takes it looks after that.
        if ((UnsafeApi.getLongVolatile(null, word) & bit) == 0)
        {
            UnsafeApi.getAndBitwiseOrLong(null, word, bit);
        }
    }

    /**
     * What to wake the owner for, asked after {@link #set}; the caller clears it and wakes.
     *
     * @param events bits that happened.
     * @return those of them that are wanted.
     */
    public int takeWakeUps(final int events)
    {
        final int wanted = UnsafeApi.getIntVolatile(null, address + WAKE_UPS_OFFSET) & events;
        if (wanted != 0)
        {
            UnsafeApi.getAndBitwiseAndInt(null, address + WAKE_UPS_OFFSET, ~wanted);
        }
        return wanted;
    }

    /**
     * @return whether any of the first words has a bit.
     */
    boolean isAnySet(final int words)
    {
        for (int i = 0; i < words; i++)
        {
            if (UnsafeApi.getLongVolatile(null, wordAddress(i)) != 0)
            {
                return true;
            }
        }
        return false;
    }

    /**
     * Takes the bits of a word.
     *
     * @return them, from mark {@code 64 * index}.
     */
    long take(final int index)
    {
        final long word = wordAddress(index);
        return UnsafeApi.getLongVolatile(null, word) == 0 ? 0 : UnsafeApi.getAndSetLong(null, word, 0);
    }

    /** The caller puts a full fence behind this, before it looks. */
    void wakeUps(final int wanted)
    {
        UnsafeApi.putIntVolatile(null, address + WAKE_UPS_OFFSET, wanted);
    }

    @Override
    public void close()
    {
        onClosed.run();
    }

    private long wordAddress(final int index)
    {
        return address + WORDS_OFFSET + (long)index * Long.BYTES;
    }
}
