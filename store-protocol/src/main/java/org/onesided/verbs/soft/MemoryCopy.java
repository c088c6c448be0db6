package org.onesided.verbs.soft;

import org.agrona.UnsafeApi;

/**
 * Copies between this side's memory and remote memory, which a peer reads or writes. Each aligned 8 bytes of the remote
 * memory are read or written at once.
 */
public final class MemoryCopy
{
    /** Up to this length, a loop is faster than the JVM's copy routine. */
    private static final int LOOP_LENGTH = 256;
    /** Longer copies are split, so that they do not delay safepoints. */
    private static final long PIECE_LENGTH = 1 << 20;
    private static final int ALIGNMENT_MASK = Long.BYTES - 1;

    private MemoryCopy()
    {
    }

    /**
     * Copies out of remote memory.
     *
     * @param remote address to copy from, whose 8-byte words are read at once.
     * @param local  address to copy to.
     * @param length in bytes.
     */
    public static void read(final long remote, final long local, final long length)
    {
        copy(remote, local, length, remote);
    }

    /**
     * Copies into remote memory.
     *
     * @param local  address to copy from.
     * @param remote address to copy to, whose 8-byte words are written at once.
     * @param length in bytes.
     */
    public static void write(final long local, final long remote, final long length)
    {
        copy(local, remote, length, remote);
    }

    private static void copy(final long source, final long target, final long length, final long aligned)
    {
        long done = 0;
        final long head = Math.min(length, -aligned & ALIGNMENT_MASK);
        for (; done < head; done++)
        {
            UnsafeApi.putByte(target + done, UnsafeApi.getByte(source + done));
        }
        final long words = length - done & ~(long)ALIGNMENT_MASK;
        if (words > LOOP_LENGTH && ((source ^ target) & ALIGNMENT_MASK) == 0)
        {
            done = copyPieces(source, target, done, words);
        }
        else
        {
            done = copyWords(source, target, done, words);
        }
        for (; done < length; done++)
        {
            UnsafeApi.putByte(target + done, UnsafeApi.getByte(source + done));
        }
    }

    private static long copyWords(final long source, final long target, final long start, final long length)
    {
        long done = start;
        while (done < start + length)
        {
            // An int counter lets the compiler unroll the loop.
            final int piece = (int)Math.min(PIECE_LENGTH, start + length - done);
            final long from = source + done;
            final long to = target + done;
            for (int i = 0; i < piece; i += Long.BYTES)
            {
                UnsafeApi.putLong(to + i, UnsafeApi.getLong(from + i));
            }
            done += piece;
        }
        return done;
    }

    private static long copyPieces(final long source, final long target, final long start, final long length)
    {
        final long end = start + length;
        long done = start;
        while (done < end)
        {
            final long piece = Math.min(PIECE_LENGTH, end - done);
            UnsafeApi.copyMemory(source + done, target + done, piece);
            done += piece;
        }
        return done;
    }
}
