package org.onesided.tools.load.run;

import java.util.Locale;
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
import org.onesided.client.exceptions.StoreReadOnlyException;
import org.onesided.client.exceptions.StoreStorageException;
import org.onesided.client.exceptions.StoreValueException;

/**
 * Reasons why operations fail.
 */
enum FailureKind
{
    /** An expected key is absent. */
    NOT_FOUND,
    /** The value is wrong. */
    WRONG_VALUE,
    /** The deadline passed. */
    DEADLINE,
    /** The server was lost. */
    DISCONNECTED,
    /** The client could not connect. */
    CANNOT_CONNECT,
    /** The server refuses the client, or its writes. */
    ACCESS,
    /** The store is full. */
    STORE_FULL,
    /** The server's disk is full or has failed. */
    STORAGE_FAILED,
    /** A key or value exceeds the server's limits. */
    LIMIT,
    /** Any other reason. */
    OTHER;

    /** Its name in results. */
    String label()
    {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
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
        if (failure instanceof StoreAccessException || failure instanceof StoreReadOnlyException)
        {
            return ACCESS;
        }
        if (failure instanceof StoreFullException)
        {
            return STORE_FULL;
        }
        if (failure instanceof StoreStorageException)
        {
            return STORAGE_FAILED;
        }
        if (failure instanceof StoreLimitException)
        {
            return LIMIT;
        }
        assert failure instanceof StoreConflictException || failure instanceof StoreValueException ||
            failure instanceof StoreBatchException;
        return OTHER;
    }
}
