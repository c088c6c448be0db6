package org.onesided.verbs.posix;

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
public final class PollDescriptor
{
    /** File descriptor. */
    public static final int FD_OFFSET = 0;
    /** Events to wait for. */
    public static final int EVENTS_OFFSET = FD_OFFSET + Integer.BYTES;
    /** Events that are there. */
    public static final int RETURNED_EVENTS_OFFSET = EVENTS_OFFSET + Short.BYTES;
    /** Length of the whole. */
    public static final int LENGTH = RETURNED_EVENTS_OFFSET + Short.BYTES;

    private PollDescriptor()
    {
    }
}
