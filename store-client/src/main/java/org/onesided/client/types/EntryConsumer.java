package org.onesided.client.types;

import org.agrona.DirectBuffer;

/**
 * Gets the pairs of a scan. It must not use the session that scans, which refuses it with an
 * {@link IllegalStateException}; another session, or the client where its pool has one to spare, is fine.
 */
@FunctionalInterface
public interface EntryConsumer
{
    /**
     * @param key   the key, from 0 to the buffer's capacity; valid for the time of this call only.
     * @param value the value, from 0 to the buffer's capacity; valid for the time of this call only.
     */
    void accept(DirectBuffer key, DirectBuffer value);
}
