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
 * Reasons why operations fail.
 */
enum FailureKind
{
    /** An expected key is absent. */
    NOT_FOUND("not-found"),
    /** The value is wrong. */
    WRONG_VALUE("wrong-value"),
    /** The deadline passed. */
    DEADLINE("deadline"),
    /** The server was lost. */
    DISCONNECTED("disconnected"),
    /** The client could not connect. */
    CANNOT_CONNECT("cannot-connect"),
    /** The server refuses the client. */
    ACCESS("access"),
    /** The store is full. */
    STORE_FULL("store-full"),
    /** A key or value exceeds the server's limits. */
    LIMIT("limit"),
    /** Any other reason. */
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
