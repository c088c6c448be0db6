package org.onesided.verbs.shm;

import org.agrona.BitUtil;

/**
 * Layout of the file of two connected queue pairs. Side 0 made it, side 1 claimed it. Each group of fields has a
 * cache line of its own.
 *
 * <pre>
 *  offset
 *       0  | version | ring length | window |                        written by side 0 before peers can see it
 *      64  | proof of the secret: SHA-256                         |  written by side 0 before peers can see it
 *     128  | claim state | qpn | gid high | gid low | secret:16   |  written by side 1
 *     192  | words of side 0, see PairSideDescriptor              |
 *          | words of side 1                                      |
 *          | lengths of side 0's receives: window of 4 bytes each |  written by side 0
 *          | lengths of side 1's receives                         |  written by side 1
 *          | ring from side 0 to side 1                           |  written by side 0
 *          | ring from side 1 to side 0                           |  written by side 1
 * </pre>
 */
final class PairDescriptor
{
    /** Version of the layout. */
    static final int VERSION_OFFSET = 0;
    /** Length of each ring in bytes, a power of two. */
    static final int RING_LENGTH_OFFSET = VERSION_OFFSET + Integer.BYTES;
    /** Receives that a side can announce, a power of two. */
    static final int WINDOW_OFFSET = RING_LENGTH_OFFSET + Integer.BYTES;
    /** SHA-256 of the secret that a claim needs. */
    static final int PROOF_OFFSET = BitUtil.align(WINDOW_OFFSET + Integer.BYTES, BitUtil.CACHE_LINE_LENGTH);
    /** Length of the proof. */
    static final int PROOF_LENGTH = 32;

    /** State of the claim. */
    static final int CLAIM_OFFSET = PROOF_OFFSET + BitUtil.CACHE_LINE_LENGTH;
    /** Number of the claiming queue pair. */
    static final int CLAIM_NUMBER_OFFSET = CLAIM_OFFSET + Integer.BYTES;
    /** GID of the claiming queue pair, first half. */
    static final int CLAIM_GID_HIGH_OFFSET = CLAIM_NUMBER_OFFSET + Integer.BYTES;
    /** GID of the claiming queue pair, second half. */
    static final int CLAIM_GID_LOW_OFFSET = CLAIM_GID_HIGH_OFFSET + Long.BYTES;
    /** The secret. */
    static final int CLAIM_SECRET_OFFSET = CLAIM_GID_LOW_OFFSET + Long.BYTES;
    /** First word of side 0. */
    static final int SIDES_OFFSET = CLAIM_OFFSET + BitUtil.CACHE_LINE_LENGTH;
    /** First length of side 0. */
    static final int LENGTHS_OFFSET = SIDES_OFFSET + 2 * PairSideDescriptor.LENGTH;

    /** Not claimed. */
    static final int CLAIM_FREE = 0;
    /** Being claimed. */
    static final int CLAIM_BEGUN = 1;
    /** Claimed. */
    static final int CLAIM_DONE = 2;

    /** The version. */
    static final int VERSION = 1;

    private PairDescriptor()
    {
    }

    static long length(final int ringLength, final int window)
    {
        return ringsOffset(window) + 2L * ringLength;
    }

    static long lengthsOffset(final int window, final int side)
    {
        return LENGTHS_OFFSET + (long)side * window * Integer.BYTES;
    }

    static long ringOffset(final int ringLength, final int window, final int fromSide)
    {
        return ringsOffset(window) + (long)fromSide * ringLength;
    }

    static int sideOffset(final int side)
    {
        return SIDES_OFFSET + side * PairSideDescriptor.LENGTH;
    }

    private static long ringsOffset(final int window)
    {
        return BitUtil.align(LENGTHS_OFFSET + 2L * window * Integer.BYTES, BitUtil.CACHE_LINE_LENGTH);
    }
}
