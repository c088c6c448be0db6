package org.onesided.client.session;

import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.protocol.table.RecordDescriptor;

/**
 * Checks the lengths of keys.
 */
public final class KeyLength
{
    private KeyLength()
    {
    }

    /**
     * Refuses a key that is too long, or empty.
     *
     * @param operation that has the key.
     * @param length    in bytes.
     * @param server    host and port.
     * @return the length.
     * @throws StoreLimitException if no key has such a length.
     */
    public static int checked(final String operation, final int length, final String server)
    {
        if (!isValid(length))
        {
            throw refused(operation, length, "", server);
        }
        return length;
    }

    /**
     * As {@link #checked}, for a key of a batch, which is found by its index.
     *
     * @param operation that has the key.
     * @param length    in bytes.
     * @param index     in the batch.
     * @param server    host and port.
     * @throws StoreLimitException if no key has such a length.
     */
    public static void check(final String operation, final int length, final int index, final String server)
    {
        if (!isValid(length))
        {
            throw refused(operation, length, " index=" + index, server);
        }
    }

    private static boolean isValid(final int length)
    {
        return length >= RecordDescriptor.MIN_KEY_LENGTH && length <= RecordDescriptor.MAX_KEY_LENGTH;
    }

    private static StoreLimitException refused(
        final String operation, final int length, final String place, final String server)
    {
        return new StoreLimitException(
            "key must have " + RecordDescriptor.MIN_KEY_LENGTH + " to " + RecordDescriptor.MAX_KEY_LENGTH +
                " bytes: length=" + length + place,
            FailureContext.unsent(operation, server));
    }
}
