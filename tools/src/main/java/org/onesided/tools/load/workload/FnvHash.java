package org.onesided.tools.load.workload;

/**
 * The hash by which YCSB scatters item numbers: FNV-1a of their eight bytes, the lowest first, without its sign.
 *
 * @see <a href="https://datatracker.ietf.org/doc/html/rfc9923">RFC 9923, The FNV Non-Cryptographic Hash</a>
 */
final class FnvHash
{
    private static final long OFFSET_BASIS = 0xCBF29CE484222325L;
    private static final long PRIME = 0x100000001B3L;
    private static final long PRIME_TO_3 = PRIME * PRIME * PRIME;
    private static final long PRIME_TO_5 = PRIME_TO_3 * PRIME * PRIME;

    private FnvHash()
    {
    }

    /**
     * @return 0 or more, except for the one number in 2^64 whose hash is {@link Long#MIN_VALUE}.
     */
    static long of(final long number)
    {
        long hash = OFFSET_BASIS;
        if (number >>> 5 * Byte.SIZE == 0)
        {
            // Zero bytes only multiply, which can be done in one step.
            hash = step(step(step(hash, number), number >> Byte.SIZE), number >> 2 * Byte.SIZE);
            if (number >>> 3 * Byte.SIZE == 0)
            {
                return Math.abs(hash * PRIME_TO_5);
            }
            hash = step(step(hash, number >> 3 * Byte.SIZE), number >> 4 * Byte.SIZE);
            return Math.abs(hash * PRIME_TO_3);
        }
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE)
        {
            hash = step(hash, number >> shift);
        }
        return Math.abs(hash);
    }

    private static long step(final long hash, final long number)
    {
        return (hash ^ (number & 0xFF)) * PRIME;
    }
}
