package org.onesided.tools.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.StoreFullException;
import org.onesided.client.exceptions.StoreStorageException;
import org.onesided.client.exceptions.WriteFate;
import site.ycsb.Status;

class FailuresTest
{
    private static final FailureContext CONTEXT = new FailureContext("put", "k", "host:1", WriteFate.NOT_APPLIED);

    @Test
    void shouldTellAFullStoreFromAFullDisk()
    {
        final Status full = Failures.status(new StoreFullException("full", CONTEXT));
        final Status disk = Failures.status(new StoreStorageException("disk", CONTEXT));

        assertEquals("STORE_FULL", full.getName());
        assertEquals("STORAGE_FAILED", disk.getName());
        assertFalse(disk.isOk());
    }
}
