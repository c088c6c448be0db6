package org.onesided.verbs;

import java.net.InetAddress;
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
     * The preference of this kind if the user named no device: the kind with the highest number is tried first.
     * Hardware ranks above software.
     *
     * @return the kind's place, from 0; a negative number for a kind that must be named.
     */
    default int preference()
    {
        return -1;
    }

    /**
     * @return whether a device of this kind can talk to other hosts.
     */
    default boolean reachesOtherHosts()
    {
        return true;
    }

    /**
     * Names the default device of a server that listens on an address.
     *
     * @param host name or address that the server listens on.
     * @return argument of a device whose peers can connect to it there; null if devices of this kind need to be told no
     *         address for that.
     */
    default String listenArgument(final String host)
    {
        return null;
    }

    /**
     * Determines where a device of that name would listen for its peers.
     *
     * @param argument what follows the colon in {@code kind:argument}.
     * @return the address; null if it does not listen.
     * @throws VerbsException with {@code ENODEV} if there is no such device, {@code EINVAL} if none can have this name.
     */
    default InetAddress listenAddress(final String argument)
    {
        return null;
    }

    /**
     * Makes READs fail of memory that killed processes of this user left behind, if devices of this kind have such
     * memory. Memory of a process that lives, stopped or not, stays as it is. A process that goes on with the work of a
     * killed one calls this before its first change can be seen: otherwise a client that has not noticed the death
     * would READ what was true before.
     */
    default void retireLeftovers()
    {
        // Memory of most kinds ends with its process.
    }

    /**
     * Lists the present devices; empty if this machine has none, which needs no library.
     *
     * @return the devices, in the order of preference.
     * @throws VerbsException if the machine has such devices and they cannot be listed.
     */
    List<Device> devices();

    /**
     * Finds one device.
     *
     * @param argument what follows the colon in {@code kind:argument}; empty for the kind's first device.
     * @return the device.
     * @throws VerbsException with {@code ENODEV} if there is none of that name; the message lists those there are.
     *                        {@code EINVAL} if none can have this name.
     */
    Device device(String argument);
}
