package org.onesided.verbs.ibv;

import org.onesided.verbs.Context;
import org.onesided.verbs.Device;

/**
 * An RDMA device of this machine, by name.
 *
 * @param libraryName as libibverbs names it, such as {@code mlx5_0}.
 */
record IbvDevice(String libraryName) implements Device
{
    @Override
    public String name()
    {
        return IbvDeviceProvider.KIND + ":" + libraryName;
    }

    @Override
    public Context open()
    {
        return IbvContext.open(this, IbvLibrary.load());
    }

    @Override
    public String toString()
    {
        return name();
    }

    @Override
    public boolean isShareable()
    {
        return true;
    }
}
