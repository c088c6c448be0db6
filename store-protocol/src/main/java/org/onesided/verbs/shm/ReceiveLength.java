package org.onesided.verbs.shm;

/**
 * How the length of a receive is told to senders.
 */
final class ReceiveLength
{
    /** Stands for a length if the receive's memory may not be written. */
    static final int UNUSABLE = Integer.MIN_VALUE;

    private ReceiveLength()
    {
    }

    static int encode(final long length, final boolean usable)
    {
        return usable ? (int)Math.min(length, FrameDescriptor.MAX_MESSAGE_LENGTH) : UNUSABLE;
    }
}
