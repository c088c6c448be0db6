package org.onesided.verbs;

import java.util.List;

/**
 * Offers the devices of one kind. Found through {@link java.util.ServiceLoader}, so that a further kind needs no change
 * elsewhere.
 */
public interface DeviceProvider
{
    /**
     * @return the kind's name, which starts a device's name: {@code shm}, {@code ibv}, {@code tcp}.
     */
    String kind();

    /**
     * Lists what is there now; empty where this machine has none.
     *
     * @return the devices, in the order of preference.
     */
    List<Device> devices();

    /**
     * Finds one device.
     *
     * @param argument what follows the colon in {@code kind:argument}; empty for the kind's first device.
     * @return the device.
     * @throws VerbsException with {@code ENODEV} if there is none of that name; the message lists those there are.
     */
    Device device(String argument);
}
