package org.onesided.verbs;

/**
 * Layout of {@code struct ibv_recv_wr} on 64-bit platforms, in native byte order.
 *
 * <pre>
 *   0         4         8         12        16
 *  +---------+---------+---------+---------+
 *  | wr_id             | next              |
 *  +---------+---------+---------+---------+
 *  | sg_list           | num_sge | padding |
 *  +---------+---------+---------+---------+
 * </pre>
 */
public final class ReceiveRequestDescriptor
{
    /** The caller's own number, returned by the completion. */
    public static final int ID_OFFSET = 0;
    /** Address of the next request of the chain, or 0. */
    public static final int NEXT_OFFSET = ID_OFFSET + Long.BYTES;
    /** Address of the array of scatter/gather elements. */
    public static final int ELEMENTS_OFFSET = NEXT_OFFSET + Long.BYTES;
    /** How many elements. */
    public static final int ELEMENT_COUNT_OFFSET = ELEMENTS_OFFSET + Long.BYTES;
    /** Length of the whole. */
    public static final int LENGTH = ELEMENT_COUNT_OFFSET + 2 * Integer.BYTES;

    private ReceiveRequestDescriptor()
    {
    }
}
