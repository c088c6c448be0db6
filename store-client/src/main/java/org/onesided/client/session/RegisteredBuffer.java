package org.onesided.client.session;

import org.onesided.verbs.MemoryRange;

/**
 * Memory that this side's device can reach.
 *
 * @param range     where it is.
 * @param localKey  names it in this side's requests.
 * @param remoteKey names it in the server's requests.
 */
public record RegisteredBuffer(MemoryRange range, int localKey, int remoteKey)
{
    /**
     * @param offset of a part.
     * @param size   of it in bytes.
     * @return its raw address.
     * @throws IndexOutOfBoundsException if it is not in the buffer.
     */
    public long addressOf(final long offset, final long size)
    {
        return range.addressOf(offset, size);
    }

    /**
     * @return its length in bytes.
     */
    public long length()
    {
        return range.length();
    }

    /**
     * @param offset of a part.
     * @param size   of it in bytes.
     * @return the part.
     */
    public RegisteredBuffer slice(final long offset, final long size)
    {
        return new RegisteredBuffer(range.slice(offset, size), localKey, remoteKey);
    }
}
