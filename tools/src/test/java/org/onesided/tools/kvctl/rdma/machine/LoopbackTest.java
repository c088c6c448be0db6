package org.onesided.tools.kvctl.rdma.machine;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.onesided.verbs.Access;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Context;
import org.onesided.verbs.Devices;
import org.onesided.verbs.PathChoice;
import org.onesided.verbs.VerbsException;

class LoopbackTest
{
    @Test
    void shouldReadAndLeaveNothingOpen()
    {
        // Closing the context fails while anything made from it is open.
        try (Context context = Devices.find("shm").open())
        {
            Loopback.read(context, PathChoice.resolve(context, ConnectionOptions.defaults(Access.REMOTE_READ)));
        }
    }

    @Test
    void shouldFailAndLeaveNothingOpen()
    {
        try (Context context = Devices.find("shm").open())
        {
            final ConnectionOptions path =
                PathChoice.resolve(context, ConnectionOptions.defaults(Access.REMOTE_WRITE));

            final VerbsException failure = assertThrows(VerbsException.class, () -> Loopback.read(context, path));

            assertEquals("post_send: EIO: the READ failed: device=shm status=REM_ACCESS_ERR vendor_err=0",
                failure.getMessage());
            assertDoesNotThrow(() ->
                Loopback.read(context, path.access(Access.REMOTE_READ)));
        }
    }
}
