package org.onesided.verbs.ibv;

/**
 * Offers the RDMA devices of this machine.
 */
public final class IbvDeviceProvider
{
    /** The kind's name. */
    static final String KIND = "ibv";

    private IbvDeviceProvider()
    {
    }
}
