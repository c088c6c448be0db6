package org.onesided.verbs.ibv;

/**
 * A device that libibverbs lists.
 *
 * @param name       as libibverbs names it.
 * @param handle     address of the {@code ibv_device}, good until the list is closed.
 * @param nodeType   kind of node.
 * @param transport  transport.
 * @param deviceFile name of its device file, such as {@code uverbs0}.
 */
record DeviceEntry(String name, long handle, int nodeType, int transport, String deviceFile)
{
    /**
     * @return whether it is an iWARP device.
     */
    boolean isIwarp()
    {
        return nodeType == DeviceDescriptor.NODE_RNIC || transport == DeviceDescriptor.TRANSPORT_IWARP;
    }

    /**
     * @return whether it is an InfiniBand or RoCE device.
     */
    boolean isUsable()
    {
        return !isIwarp() && transport == DeviceDescriptor.TRANSPORT_IB;
    }
}
