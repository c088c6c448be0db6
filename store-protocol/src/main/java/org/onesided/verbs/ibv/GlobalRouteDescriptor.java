package org.onesided.verbs.ibv;

import org.onesided.verbs.Gid;

/**
 * Layout of {@code struct ibv_global_route}.
 *
 * <pre>
 *   0         1         2         3         4         5         6         7
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | dgid (16 bytes)                                                               |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | flow_label                            | sgid_idx| hops    | tclass  | -       |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 * </pre>
 */
final class GlobalRouteDescriptor
{
    /** The peer's GID, in network byte order. */
    static final int DGID_OFFSET = 0;
    /** Flow label. */
    static final int FLOW_LABEL_OFFSET = DGID_OFFSET + Gid.LENGTH;
    /** Index of this side's GID. */
    static final int SGID_INDEX_OFFSET = FLOW_LABEL_OFFSET + Integer.BYTES;
    /** Hop limit. */
    static final int HOP_LIMIT_OFFSET = SGID_INDEX_OFFSET + Byte.BYTES;
    /** Traffic class. */
    static final int TRAFFIC_CLASS_OFFSET = HOP_LIMIT_OFFSET + Byte.BYTES;
    /** Length of the whole. */
    static final int LENGTH = TRAFFIC_CLASS_OFFSET + 2 * Byte.BYTES;

    private GlobalRouteDescriptor()
    {
    }
}
