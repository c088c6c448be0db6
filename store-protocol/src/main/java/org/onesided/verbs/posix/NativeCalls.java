package org.onesided.verbs.posix;

import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;

/**
 * Whether native calls work in this virtual machine: their helper library is unpacked into a file and loaded from
 * there.
 */
public final class NativeCalls
{
    private NativeCalls()
    {
    }

    /**
     * @throws VerbsException with {@code ENODEV} if they do not; the message says what to do.
     */
    public static void check()
    {
        try
        {
            Posix.userId();
        }
        catch (final LinkageError ex)
        {
            throw new VerbsException("open_device", Errno.ENODEV,
                "cannot call the C library, let -Djffi.extract.dir=DIRECTORY name a place that may hold programs: " +
                    "directory=" + System.getProperty("jffi.extract.dir", System.getProperty("java.io.tmpdir")), ex);
        }
    }
}
