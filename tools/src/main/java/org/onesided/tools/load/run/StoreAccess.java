package org.onesided.tools.load.run;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.onesided.tools.load.output.ClientTotals;
import org.onesided.tools.load.output.StoreFacts;

/**
 * The store under load, as far as a load run needs it. Thread-safe.
 */
public interface StoreAccess extends AutoCloseable
{
    /** What a lookup gives for a key that is not there. */
    int ABSENT = -1;

    /**
     * Opens a connection for one thread.
     *
     * @return the connection; the caller closes it.
     */
    Session open();

    /**
     * @return what the store is.
     */
    StoreFacts facts();

    /**
     * @return what all connections did so far; any thread may ask.
     */
    ClientTotals totals();

    @Override
    void close();

    /**
     * One thread's connection.
     */
    interface Session extends AutoCloseable
    {
        /**
         * Looks a key up.
         *
         * @param key       that begins its buffer.
         * @param keyLength in bytes.
         * @param value     takes what is found, from its begin.
         * @return length of the value in bytes, or {@link #ABSENT}.
         */
        int get(DirectBuffer key, int keyLength, MutableDirectBuffer value);

        /**
         * Puts a pair.
         *
         * @param key         that begins its buffer.
         * @param keyLength   in bytes.
         * @param value       that begins its buffer.
         * @param valueLength in bytes.
         */
        void put(DirectBuffer key, int keyLength, DirectBuffer value, int valueLength);

        /**
         * @return whether the store began anew meanwhile, empty, so that it has not lost what is not there.
         */
        default boolean isAnew()
        {
            return false;
        }

        @Override
        void close();
    }
}
