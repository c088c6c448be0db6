package org.onesided.verbs.ibv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;

/**
 * Lets each control verb of a setup fail in turn, on a real device.
 */
@Tag("rdma")
@Tag("full")
final class SetupFailureRdmaTest
{
    private static final int MOST_CALLS = 200;
    private static final int[] ERRORS = {Errno.ENOMEM, Errno.EINVAL};

    @Test
    void shouldTakeAllBackWhateverFails()
    {
        for (final int errno : ERRORS)
        {
            int failingCall = 1;
            while (failed(failingCall, errno))
            {
                failingCall++;
                assertTrue(failingCall < MOST_CALLS, "a setup calls more often than it should: calls=" + failingCall);
            }
            assertTrue(failingCall > 20, "a setup calls less often than it should: calls=" + failingCall);
        }
    }

    /** False if nothing failed, since there were not so many calls. */
    private static boolean failed(final int failingCall, final int errno)
    {
        final CountedCalls calls = new CountedCalls(IbvLibrary.load(), failingCall, errno);
        final IbvLibrary library = calls.library();
        try (RdmaPair pair = new RdmaPair(library))
        {
            if (calls.failed() == null)
            {
                pair.connect();
            }
            if (calls.failed() == null)
            {
                pair.read();
                assertEquals(null, calls.failed());
            }
        }
        catch (final VerbsException ex)
        {
            assertNotNull(calls.failed(), ex.getMessage());
            // Where GIDs cannot be told, it is their choice that fails.
            final String verb = calls.failed().replaceFirst("^_?ibv_", "")
                .replace("reg_mr_iova2", "reg_mr").replace("query_gid_table", "query_gid");
            assertTrue(ex.getMessage().startsWith(verb), ex.getMessage());
        }
        assertEquals(Map.of(), calls.open(), "left behind when a call failed: function=" + calls.failed());
        return calls.failed() != null;
    }
}
