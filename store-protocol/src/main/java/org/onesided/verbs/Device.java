package org.onesided.verbs;

/**
 * A device that can be opened.
 */
public interface Device
{
    /**
     * @return the name to select it by, such as {@code shm} or {@code ibv:mlx5_0}.
     */
    String name();

    /**
     * Opens the device (ibv_open_device(3)).
     *
     * @return a context of its own; the caller closes it.
     * @throws VerbsException if the device cannot be used.
     */
    Context open();

    /**
     * @return whether one context does for several users that know nothing of each other, each with a protection domain
     *         of its own, so that they need only one set of threads.
     */
    default boolean isShareable()
    {
        return false;
    }

    /**
     * @return whether requests that are posted one after the other go out together, so that many cost each side little
     *         more than one.
     */
    default boolean gathersRequests()
    {
        return false;
    }

    /**
     * @return whether the thread that posts a READ copies its bytes, and does nothing else meanwhile.
     */
    default boolean copiesWhilePosting()
    {
        return false;
    }
}
