package org.onesided.client.request;

import org.onesided.client.session.RegisteredBuffer;

/**
 * Memory for messages that the device can read, one for each slot: each begins a cache line and has room for the
 * longest message. Immutable.
 */
final class MessageSpace
{
    private static final long LINE_LENGTH = 64;

    private final RegisteredBuffer space;
    private final int messageLength;
    private final long stride;

    /**
     * @param space         {@link #length} bytes.
     * @param messageLength of the longest message in bytes.
     */
    MessageSpace(final RegisteredBuffer space, final int messageLength)
    {
        this.space = space;
        this.messageLength = messageLength;
        stride = stride(messageLength);
    }

    /** Distance between two messages in bytes. */
    static long stride(final int messageLength)
    {
        return (messageLength + LINE_LENGTH - 1) & -LINE_LENGTH;
    }

    /** Bytes needed for all messages. */
    static long length(final int shards, final int credits, final int messageLength)
    {
        return stride(messageLength) * shards * credits;
    }

    /** Of the longest message in bytes. */
    int messageLength()
    {
        return messageLength;
    }

    /** Address of a slot's message. */
    long address(final int slot)
    {
        return space.addressOf(stride * slot, messageLength);
    }

    int localKey()
    {
        return space.localKey();
    }
}
