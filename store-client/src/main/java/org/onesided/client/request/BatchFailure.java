package org.onesided.client.request;

import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.StoreBatchException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;

/**
 * The failure of a batch of writes.
 */
public final class BatchFailure
{
    private BatchFailure()
    {
    }

    /**
     * @param fates    of each write; no longer changed.
     * @param first    the first failure.
     * @param isDelete whether the writes are deletes; else they are puts.
     * @return the failure of the whole.
     */
    public static StoreBatchException of(final WriteFate[] fates, final StoreException first, final boolean isDelete)
    {
        int applied = 0;
        int unknown = 0;
        for (final WriteFate fate : fates)
        {
            applied += fate == WriteFate.APPLIED ? 1 : 0;
            unknown += fate == WriteFate.UNKNOWN ? 1 : 0;
        }
        return new StoreBatchException(
            (isDelete ? "only a part of the keys was deleted, see the cause: keys=" :
                "only a part of the pairs was put, see the cause: pairs=") + fates.length +
                (isDelete ? " deleted=" : " put=") + applied + " unknown=" + unknown,
            new FailureContext(null, first.key(), first.server(), first.writeFate()), first, fates);
    }
}
