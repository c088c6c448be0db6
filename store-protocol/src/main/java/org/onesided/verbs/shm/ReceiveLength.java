package org.onesided.verbs.shm;

/**
 * Encodes the length of a receive for senders.
 */
final class ReceiveLength
{
    /** In place of a length: the receive's memory may not be written. */
    static final int UNUSABLE = Integer.MIN_VALUE;

    private ReceiveLength()
    {
    }

    static int encode(final long length, final boolean usable)
    {
        return usable ? (int)Math.min(length, FrameDescriptor.MAX_MESSAGE_LENGTH) : UNUSABLE;
    }
}
