package org.onesided.verbs.ibv;

/**
 * Layout of {@code struct ibv_async_event}.
 *
 * <pre>
 *   0         1         2         3         4         5         6         7
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | element: cq, qp, srq or port_num                                              |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 *  | event_type                            | -                                     |
 *  +---------+---------+---------+---------+---------+---------+---------+---------+
 * </pre>
 */
final class AsyncEventDescriptor
{
    /** Address of what the event concerns, or number of the port. */
    static final int ELEMENT_OFFSET = 0;
    /** What happened, see {@link org.onesided.verbs.AsyncEvent.Type}. */
    static final int EVENT_TYPE_OFFSET = ELEMENT_OFFSET + Long.BYTES;
    /** Length of the whole. */
    static final int LENGTH = EVENT_TYPE_OFFSET + 2 * Integer.BYTES;

    private AsyncEventDescriptor()
    {
    }
}
