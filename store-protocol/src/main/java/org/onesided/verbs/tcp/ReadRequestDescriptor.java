package org.onesided.verbs.tcp;

/**
 * Layout of the payload of an RDMA READ request (RFC 5040, 4.4), in network byte order.
 *
 * <pre>
 *   0         4                   12        16        20                  28
 *  +---------+-------------------+---------+---------+-------------------+
 *  | sink    | sink              | length  | source  | source            |
 *  | STag    | tagged offset     |         | STag    | tagged offset     |
 *  +---------+-------------------+---------+---------+-------------------+
 * </pre>
 */
final class ReadRequestDescriptor
{
    /** Steering tag that the response names. */
    static final int SINK_STAG_OFFSET = 0;
    /** Offset of the response in that buffer. */
    static final int SINK_OFFSET_OFFSET = SINK_STAG_OFFSET + Integer.BYTES;
    /** Number of bytes to read. */
    static final int LENGTH_OFFSET = SINK_OFFSET_OFFSET + Long.BYTES;
    /** Key of the memory to read. */
    static final int SOURCE_STAG_OFFSET = LENGTH_OFFSET + Integer.BYTES;
    /** Address of the memory to read. */
    static final int SOURCE_OFFSET_OFFSET = SOURCE_STAG_OFFSET + Integer.BYTES;
    /** Length of the whole. */
    static final int LENGTH = SOURCE_OFFSET_OFFSET + Long.BYTES;

    private ReadRequestDescriptor()
    {
    }
}
