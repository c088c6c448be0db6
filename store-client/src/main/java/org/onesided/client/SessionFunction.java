package org.onesided.client;

import org.jspecify.annotations.Nullable;

/**
 * Something to do with a lent session.
 *
 * @param <T> type of what comes out; one that may be null lets the function return null.
 */
@FunctionalInterface
public interface SessionFunction<T extends @Nullable Object>
{
    /**
     * @param session lent for the time of this call only.
     * @return anything.
     */
    T apply(StoreSession session);
}
