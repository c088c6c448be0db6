package org.onesided.client;

import org.onesided.verbs.MemoryRange;

/**
 * Memory that this side's device can reach.
 *
 * @param range     where it is.
 * @param localKey  names it in this side's requests.
 * @param remoteKey names it in the server's requests.
 */
record RegisteredBuffer(MemoryRange range, int localKey, int remoteKey)
{
    long addressOf(final long offset, final long size)
    {
        return range.addressOf(offset, size);
    }

    long length()
    {
        return range.length();
    }

    RegisteredBuffer slice(final long offset, final long size)
    {
        return new RegisteredBuffer(range.slice(offset, size), localKey, remoteKey);
    }
}
