package org.onesided.verbs.shm;

import org.onesided.verbs.Context;
import org.onesided.verbs.Device;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.posix.Posix;

/**
 * The shared-memory device of this machine.
 */
final class ShmDevice implements Device
{
    @Override
    public String name()
    {
        return ShmDeviceProvider.KIND;
    }

    @Override
    public Context open()
    {
        ShmDeviceProvider.checkPlatform();
        checkNativeCalls();
        ContextCleaner.cleanUp();
        return ShmContext.open(this);
    }

    private static void checkNativeCalls()
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
