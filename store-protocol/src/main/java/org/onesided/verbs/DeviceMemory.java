package org.onesided.verbs;

/**
 * Memory of a device, fit to be registered.
 */
public interface DeviceMemory extends AutoCloseable
{
    /**
     * @return where it is, and how long.
     */
    MemoryRange range();

    /**
     * Looks up the size of the pages, since a request for huge pages is not always granted. Takes up to some
     * milliseconds.
     *
     * @return whether at least half of what exists of it by now is in huge pages.
     */
    default boolean hugePages()
    {
        return false;
    }

    /**
     * Gives the memory back.
     *
     * @throws VerbsException with {@code EBUSY} while a memory region is registered over it.
     */
    @Override
    void close();
}
