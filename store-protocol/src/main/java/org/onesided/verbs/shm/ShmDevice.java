package org.onesided.verbs.shm;

import org.onesided.verbs.Context;
import org.onesided.verbs.Device;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.posix.NativeCalls;

/**
 * The shared-memory device of this machine.
 */
final class ShmDevice implements Device
{
    /** The kind's name. */
    static final String KIND = "shm";

    @Override
    public String name()
    {
        return KIND;
    }

    @Override
    public Context open()
    {
        checkPlatform();
        NativeCalls.check();
        ContextCleaner.cleanUp();
        return ShmContext.open(this);
    }

    @Override
    public boolean isShareable()
    {
        return true;
    }

    @Override
    public boolean copiesWhilePosting()
    {
        return true;
    }

    static void checkPlatform()
    {
        if (!isSupported())
        {
            throw new VerbsException("open_device", Errno.ENODEV,
                "the shared-memory device needs 64-bit Linux, use tcp instead: os.name=" +
                    System.getProperty("os.name"));
        }
    }

    static boolean isSupported()
    {
        return "Linux".equals(System.getProperty("os.name")) && "64".equals(System.getProperty("sun.arch.data.model"));
    }
}
