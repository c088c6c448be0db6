package org.onesided.verbs.tcp;

import org.agrona.BitUtil;
import org.agrona.UnsafeApi;
import org.onesided.verbs.NativeArray;

/**
 * Messages that came before a receive was posted for them, up to a bound. The latest may be incomplete. Not
 * thread-safe.
 *
 * <pre>
 *   0         4         8                 8+n
 *  +---------+---------+-----------------+---------+
 *  | length n| flags   | what came of it | padding |
 *  +---------+---------+-----------------+---------+
 * </pre>
 */
final class EarlyMessages implements AutoCloseable
{
    /** Room for all messages, with headers. */
    static final int CAPACITY = 256 * 1024;

    private static final int LENGTH_OFFSET = 0;
    private static final int FLAGS_OFFSET = LENGTH_OFFSET + Integer.BYTES;
    private static final int BYTES_OFFSET = FLAGS_OFFSET + Integer.BYTES;
    private static final int WHOLE = 1;
    private static final int SOLICITED = 2;

    private NativeArray memory;
    private long base;
    private int head;
    private int tail;
    private int youngest;

    boolean isEmpty()
    {
        return head == tail;
    }

    /**
     * Begins a message.
     *
     * @return whether there is room.
     */
    boolean begin()
    {
        if (memory == null)
        {
            memory = new NativeArray(CAPACITY);
            base = memory.range().address();
        }
        if (!makeRoom(BYTES_OFFSET))
        {
            return false;
        }
        youngest = tail;
        UnsafeApi.putLong(base + youngest, 0);
        tail += BYTES_OFFSET;
        return true;
    }

    /**
     * Adds to the message begun last.
     *
     * @return whether there is room.
     */
    boolean add(final long source, final int length)
    {
        final int has = UnsafeApi.getInt(base + youngest + LENGTH_OFFSET);
        if (!makeRoom(length + Long.BYTES))
        {
            return false;
        }
        final long message = base + youngest;
        UnsafeApi.copyMemory(source, message + BYTES_OFFSET + has, length);
        UnsafeApi.putInt(message + LENGTH_OFFSET, has + length);
        tail += length;
        return true;
    }

    /**
     * Ends the message begun last.
     */
    void end(final boolean solicited)
    {
        UnsafeApi.putInt(base + youngest + FLAGS_OFFSET, WHOLE | (solicited ? SOLICITED : 0));
        tail = BitUtil.align(tail, Long.BYTES);
    }

    /**
     * @return address of what came of the oldest.
     */
    long bytes()
    {
        return base + head + BYTES_OFFSET;
    }

    /**
     * @return how much came of the oldest.
     */
    int length()
    {
        return UnsafeApi.getInt(base + head + LENGTH_OFFSET);
    }

    /**
     * @return whether all came of the oldest.
     */
    boolean isWhole()
    {
        return (UnsafeApi.getInt(base + head + FLAGS_OFFSET) & WHOLE) != 0;
    }

    boolean isSolicited()
    {
        return (UnsafeApi.getInt(base + head + FLAGS_OFFSET) & SOLICITED) != 0;
    }

    /**
     * Forgets the oldest.
     */
    void remove()
    {
        head = isWhole() ? BitUtil.align(head + BYTES_OFFSET + length(), Long.BYTES) : tail;
        if (head == tail)
        {
            head = 0;
            tail = 0;
        }
    }

    @Override
    public void close()
    {
        if (memory != null)
        {
            memory.close();
            memory = null;
        }
    }

    private boolean makeRoom(final int length)
    {
        if (CAPACITY - tail < length && head != 0)
        {
            UnsafeApi.copyMemory(base + head, base, tail - head);
            youngest -= head;
            tail -= head;
            head = 0;
        }
        return CAPACITY - tail >= length;
    }
}
