package org.onesided.verbs;

/**
 * Layout of a scatter/gather element, {@code struct ibv_sge}, in native byte order.
 *
 * <pre>
 *   0         4         8         12        16
 *  +---------+---------+---------+---------+
 *  | addr              | length  | lkey    |
 *  +---------+---------+---------+---------+
 * </pre>
 */
public final class ElementDescriptor
{
    /** Address of the first byte. */
    public static final int ADDRESS_OFFSET = 0;
    /** Length in bytes, unsigned. */
    public static final int LENGTH_OFFSET = ADDRESS_OFFSET + Long.BYTES;
    /** Key of the local memory region. */
    public static final int LOCAL_KEY_OFFSET = LENGTH_OFFSET + Integer.BYTES;
    /** Length of the whole. */
    public static final int LENGTH = LOCAL_KEY_OFFSET + Integer.BYTES;

    private ElementDescriptor()
    {
    }
}
