package org.onesided.tools.ycsb;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.onesided.client.exceptions.StoreAccessException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreFullException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.exceptions.StoreReadOnlyException;
import org.onesided.client.exceptions.StoreStorageException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import site.ycsb.Status;

/**
 * Maps failures to YCSB's statuses, which YCSB counts. Logs the reason of the first failure of each kind. Thread-safe.
 */
final class Failures
{
    /** A write may have taken effect. */
    static final Status DEADLINE = new Status("DEADLINE", "The operation did not end before its deadline.");
    /** The write has not taken effect. */
    static final Status STORE_FULL = new Status("STORE_FULL", "The server has no room left.");
    /** The write has not taken effect. */
    static final Status STORAGE_FAILED =
        new Status("STORAGE_FAILED", "The server's disk is full or has failed.");

    private static final Logger LOGGER = LoggerFactory.getLogger(Failures.class);
    private static final Set<Status> LOGGED = ConcurrentHashMap.newKeySet();

    private Failures()
    {
    }

    /** The status of a failure. */
    static Status status(final RuntimeException failure)
    {
        final Status status = kind(failure);
        if (LOGGED.add(status))
        {
            LOGGER.warn("{} (further failures of this kind are counted only): {}",
                status.getName(), failure.getMessage());
        }
        return status;
    }

    private static Status kind(final RuntimeException failure)
    {
        if (failure instanceof StoreDeadlineException)
        {
            return DEADLINE;
        }
        if (failure instanceof StoreFullException)
        {
            return STORE_FULL;
        }
        if (failure instanceof StoreStorageException)
        {
            return STORAGE_FAILED;
        }
        if (failure instanceof StoreAccessException || failure instanceof StoreReadOnlyException)
        {
            return Status.FORBIDDEN;
        }
        if (failure instanceof StoreLimitException || failure instanceof IllegalArgumentException)
        {
            return Status.BAD_REQUEST;
        }
        if (failure instanceof BrokenFieldsException)
        {
            return Status.UNEXPECTED_STATE;
        }
        if (failure instanceof StoreException)
        {
            return Status.SERVICE_UNAVAILABLE;
        }
        return Status.ERROR;
    }
}
