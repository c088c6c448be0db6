package org.onesided.verbs.tcp;

/**
 * Layout of an FPDU, the frame of MPA without markers (RFC 5044, 4.1). The CRC32C covers all before it.
 *
 * <pre>
 *   0         2                     2+n         2+n+p       6+n+p
 *  +---------+---------------------+-----------+-----------+
 *  | length n| ULPDU               | 0 .. 3  0 | CRC32C    |
 *  +---------+---------------------+-----------+-----------+
 * </pre>
 */
final class FrameDescriptor
{
    /** Length of the ULPDU in bytes, 16 bits. */
    static final int LENGTH_OFFSET = 0;
    /** The ULPDU: a DDP segment. */
    static final int ULPDU_OFFSET = LENGTH_OFFSET + Short.BYTES;
    /** Length of the CRC, lowest byte first. */
    static final int CRC_LENGTH = Integer.BYTES;
    /** Alignment of the bytes before the CRC. */
    static final int ALIGNMENT = Integer.BYTES;
    /** Length of the longest ULPDU. */
    static final int MAX_ULPDU_LENGTH = 0xFFFF;
    /** Length of the longest frame. */
    static final int MAX_LENGTH = frameLength(MAX_ULPDU_LENGTH);

    private FrameDescriptor()
    {
    }

    /**
     * @param ulpduLength of a frame.
     * @return length of all before its CRC.
     */
    static int crcOffset(final int ulpduLength)
    {
        return (ULPDU_OFFSET + ulpduLength + ALIGNMENT - 1) & -ALIGNMENT;
    }

    /**
     * @param ulpduLength of a frame.
     * @return length of the whole frame.
     */
    static int frameLength(final int ulpduLength)
    {
        return crcOffset(ulpduLength) + CRC_LENGTH;
    }
}
