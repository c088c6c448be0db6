package org.onesided.verbs.shm;

/**
 * Layout of {@code struct pollfd}.
 *
 * <pre>
 *   0         4         6         8
 *  +---------+---------+---------+
 *  | fd      | events  | revents |
 *  +---------+---------+---------+
 * </pre>
 */
final class PollDescriptor
{
    /** File descriptor. */
    static final int FD_OFFSET = 0;
    /** Events to wait for. */
    static final int EVENTS_OFFSET = FD_OFFSET + Integer.BYTES;
    /** Events that are there. */
    static final int RETURNED_EVENTS_OFFSET = EVENTS_OFFSET + Short.BYTES;
    /** Length of the whole. */
    static final int LENGTH = RETURNED_EVENTS_OFFSET + Short.BYTES;

    private PollDescriptor()
    {
    }
}
