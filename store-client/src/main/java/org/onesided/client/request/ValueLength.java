package org.onesided.client.request;

import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.types.ServerInfo;
import org.onesided.protocol.rpc.AppendLimits;

/**
 * Checks the lengths of values.
 */
public final class ValueLength
{
    private ValueLength()
    {
    }

    /**
     * Refuses a value that is too long, for an operation that has not begun.
     *
     * @param operation that has the value.
     * @param length    in bytes.
     * @param server    that it is for.
     * @throws StoreLimitException if the server takes no value of such a length.
     */
    public static void check(final String operation, final int length, final ServerInfo server)
    {
        if (length > server.maxValueLength())
        {
            throw refused(length, "", server, FailureContext.unsent(operation, server.address()));
        }
    }

    /**
     * Refuses a value of a batch that is too long for the server.
     *
     * @param operation name of the operation.
     * @param length    in bytes.
     * @param index     of the value in the batch.
     * @param server    whose limit it is.
     */
    public static void check(final String operation, final int length, final int index, final ServerInfo server)
    {
        if (length > server.maxValueLength())
        {
            throw refused(length, " index=" + index, server, FailureContext.unsent(operation, server.address()));
        }
    }

    /**
     * Refuses an append of too many bytes, before it has begun. How many fit into a message with their key is looked at
     * later.
     *
     * @param length in bytes.
     * @param server that it is for.
     * @throws StoreLimitException if it is more than any server takes.
     */
    public static void checkAppended(final int length, final ServerInfo server)
    {
        if (length > AppendLimits.MAX_ADDED_LENGTH)
        {
            throw refusedToAppend(
                length, AppendLimits.MAX_ADDED_LENGTH, FailureContext.unsent(Operation.APPEND, server.address()));
        }
    }

    /** The failure of a value that is too long. */
    static StoreLimitException refused(
        final int length, final String place, final ServerInfo server, final FailureContext context)
    {
        return new StoreLimitException(
            "value is too long, store it in parts: length=" + length + " longest=" + server.maxValueLength() + place,
            context);
    }

    /** The failure of an append of too many bytes: more than any, or than fit into a message with their key. */
    static StoreLimitException refusedToAppend(final int length, final int longest, final FailureContext context)
    {
        return new StoreLimitException(
            "too many bytes for one append, append them in parts: length=" + length + " longest=" + longest, context);
    }
}
