package org.onesided.client.types;

import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Gets the values of a lookup of many keys, in the order of the keys. It must not use the session that looks them up,
 * which refuses it with an {@link IllegalStateException}; another session, or the client where its pool has one to
 * spare, is fine.
 */
@FunctionalInterface
public interface ValueConsumer
{
    /**
     * @param index of the key among those asked for, from 0.
     * @param value the value, from 0 to the buffer's capacity, valid for the time of this call only; null if the key is
     *              absent.
     */
    void accept(int index, @Nullable DirectBuffer value);
}
