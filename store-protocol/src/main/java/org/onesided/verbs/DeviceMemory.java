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
     * Gives the memory back.
     *
     * @throws VerbsException with {@code EBUSY} while a memory region is registered over it.
     */
    @Override
    void close();
}
