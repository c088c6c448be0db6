package org.onesided.tools.load.run;

import org.onesided.client.exceptions.StoreAccessException;
import org.onesided.client.exceptions.StoreBatchException;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreConflictException;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreFullException;
import org.onesided.client.exceptions.StoreLimitException;

/**
 * Why operations fail.
 */
enum FailureKind
{
    /** No key where there should be one. */
    NOT_FOUND("not-found"),
    /** A value that cannot be right. */
    WRONG_VALUE("wrong-value"),
    /** The deadline passed. */
    DEADLINE("deadline"),
    /** The server was lost. */
    DISCONNECTED("disconnected"),
    /** No session could be had. */
    CANNOT_CONNECT("cannot-connect"),
    /** The server refuses the client. */
    ACCESS("access"),
    /** The store has no room. */
    STORE_FULL("store-full"),
    /** A key or value beyond the server's limits. */
    LIMIT("limit"),
    /** Anything else. */
    OTHER("other");

    private final String label;

    FailureKind(final String label)
    {
        this.label = label;
    }

    /** Its name in results. */
    String label()
    {
        return label;
    }

    static FailureKind of(final RuntimeException failure)
    {
        if (!(failure instanceof StoreException))
        {
            return OTHER;
        }
        return of((StoreException)failure);
    }

    private static FailureKind of(final StoreException failure)
    {
        if (failure instanceof StoreDeadlineException)
        {
            return DEADLINE;
        }
        if (failure instanceof StoreDisconnectedException || failure instanceof StoreClosedException)
        {
            return DISCONNECTED;
        }
        if (failure instanceof StoreConnectException)
        {
            return CANNOT_CONNECT;
        }
        if (failure instanceof StoreAccessException)
        {
            return ACCESS;
        }
        if (failure instanceof StoreFullException)
        {
            return STORE_FULL;
        }
        if (failure instanceof StoreLimitException)
        {
            return LIMIT;
        }
        assert failure instanceof StoreConflictException || failure instanceof StoreBatchException;
        return OTHER;
    }
}
