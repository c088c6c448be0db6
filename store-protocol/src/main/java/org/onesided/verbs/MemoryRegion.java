package org.onesided.verbs;

/**
 * Registered memory (ibv_reg_mr(3)).
 */
public interface MemoryRegion extends AutoCloseable
{
    /**
     * @return the memory that was registered; peers address it by its raw addresses.
     */
    MemoryRange range();

    /**
     * @return the access flags it was registered with, see {@link Access}.
     */
    int access();

    /**
     * @return the key by which this side's requests name it.
     */
    int localKey();

    /**
     * @return the key by which peers' requests name it.
     */
    int remoteKey();

    /**
     * Deregisters the memory (ibv_dereg_mr(3)): from here on its keys are wrong.
     */
    @Override
    void close();
}
