package org.onesided.client.session;

/**
 * Registers memory that READs may write to.
 */
@FunctionalInterface
public interface RegisteredMemory
{
    /**
     * @param owner  frees it.
     * @param length in bytes.
     * @return the memory.
     * @throws org.onesided.verbs.VerbsException if the device has no more.
     */
    RegisteredBuffer register(Resources owner, long length);
}
