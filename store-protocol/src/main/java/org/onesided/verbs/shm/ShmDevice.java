package org.onesided.verbs.shm;

import org.onesided.verbs.Context;
import org.onesided.verbs.Device;
import org.onesided.verbs.posix.NativeCalls;

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
        NativeCalls.check();
        ContextCleaner.cleanUp();
        return ShmContext.open(this);
    }

    @Override
    public boolean isShareable()
    {
        return true;
    }
}
