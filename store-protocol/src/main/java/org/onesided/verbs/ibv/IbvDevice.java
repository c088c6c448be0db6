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
        return IbvLibrary.KIND + ":" + libraryName;
    }

    @Override
    public Context open()
    {
        return open(IbvLibrary.load());
    }

    /**
     * @param library that has it.
     * @return the open device.
     */
    IbvContext open(final IbvLibrary library)
    {
        return IbvContext.open(this, libraryName, library);
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
