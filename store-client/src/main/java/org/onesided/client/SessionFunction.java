package org.onesided.client;

/**
 * Something to do with a lent session.
 *
 * @param <T> type of what comes out.
 */
@FunctionalInterface
public interface SessionFunction<T>
{
    /**
     * @param session lent for the time of this call only.
     * @return anything, or null.
     */
    T apply(StoreSession session);
}
