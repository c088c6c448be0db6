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
     * @return whether it is in huge pages.
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
