package org.onesided.tools.load.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.StoreFullException;
import org.onesided.client.exceptions.StoreStorageException;
import org.onesided.client.exceptions.WriteFate;

class FailureKindTest
{
    private static final FailureContext CONTEXT = new FailureContext("put", "k", "host:1", WriteFate.NOT_APPLIED);

    /** kvctl load chooses its exit code by these names. */
    @Test
    void shouldTellAFullStoreFromAFullDisk()
    {
        assertEquals("store-full", FailureKind.of(new StoreFullException("full", CONTEXT)).label());
        assertEquals("storage-failed", FailureKind.of(new StoreStorageException("disk", CONTEXT)).label());
        assertEquals("other", FailureKind.of(new IllegalStateException("bug")).label());
    }
}
