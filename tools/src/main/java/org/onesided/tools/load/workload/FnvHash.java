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

    private FnvHash()
    {
    }

    /**
     * @return 0 or more, but for the one number in 2^64 whose hash is {@link Long#MIN_VALUE}.
     */
    static long of(final long number)
    {
        long hash = OFFSET_BASIS;
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE)
        {
            hash = (hash ^ (number >> shift & 0xFF)) * PRIME;
        }
        return Math.abs(hash);
    }
}
