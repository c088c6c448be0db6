package org.onesided.tools.load.run;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.onesided.tools.load.output.ClientTotals;
import org.onesided.tools.load.output.StoreFacts;

/**
 * The store under load, reduced to what a load run needs. Thread-safe.
 */
public interface StoreAccess extends AutoCloseable
{
    /** Result of a lookup of an absent key. */
    int ABSENT = -1;

    /**
     * Opens a connection for one thread.
     *
     * @return the connection; the caller closes it.
     */
    Session open();

    /**
     * @return description of the store.
     */
    StoreFacts facts();

    /**
     * @return whether keys may leave at any moment, as the store makes room for others.
     */
    default boolean evicts()
    {
        return false;
    }

    /**
     * @return for how long a key stays whose put says nothing about it, in milliseconds; 0 for ever.
     */
    default long defaultTtlMs()
    {
        return 0;
    }

    /**
     * @return counters of all connections; any thread may call this.
     */
    ClientTotals totals();

    @Override
    void close();

    /**
     * The connection of one thread.
     */
    interface Session extends AutoCloseable
    {
        /**
         * Looks a key up.
         *
         * @param key       at the beginning of its buffer.
         * @param keyLength in bytes.
         * @param value     gets the value, from its beginning.
         * @return length of the value in bytes, or {@link #ABSENT}.
         */
        int get(DirectBuffer key, int keyLength, MutableDirectBuffer value);

        /**
         * Puts a pair.
         *
         * @param key         at the beginning of its buffer.
         * @param keyLength   in bytes.
         * @param value       at the beginning of its buffer.
         * @param valueLength in bytes.
         */
        void put(DirectBuffer key, int keyLength, DirectBuffer value, int valueLength);

        /**
         * Looks a key up and remembers the version of its value.
         *
         * @param key       at the beginning of its buffer.
         * @param keyLength in bytes.
         * @param value     gets the value, from its beginning.
         * @return length of the value in bytes, or {@link #ABSENT}.
         */
        int getVersioned(DirectBuffer key, int keyLength, MutableDirectBuffer value);

        /**
         * Puts a pair if its key still has the version that {@link #getVersioned} found last, which was the same key's;
         * or is still absent, if it was.
         *
         * @param key         at the beginning of its buffer.
         * @param keyLength   in bytes.
         * @param value       at the beginning of its buffer.
         * @param valueLength in bytes.
         * @return whether it had, and has the value now; if not, nothing changed.
         */
        boolean putIfUnchanged(DirectBuffer key, int keyLength, DirectBuffer value, int valueLength);

        /**
         * @return whether the store was restarted empty, so that an absent key is not lost.
         */
        default boolean isAnew()
        {
            return false;
        }

        @Override
        void close();
    }
}
