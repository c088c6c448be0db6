package org.onesided.verbs;

/**
 * Ties memory regions to the queue pairs that may use them (ibv_alloc_pd(3)).
 */
public interface ProtectionDomain extends AutoCloseable
{
    /**
     * @return the context it was made from.
     */
    Context context();

    /**
     * Registers memory (ibv_reg_mr(3)). One buffer may be registered several times with different rights.
     *
     * @param range  of memory; for remote access by software devices, a part of a {@link Context#allocate} of theirs.
     * @param access flags, see {@link Access}; local reading is always granted.
     * @return the memory region.
     * @throws VerbsException with {@code EINVAL} for access flags that do not go together or memory that this device
     *                        cannot share, {@code ENOMEM} if there are too many regions or no more memory may be
     *                        locked.
     */
    MemoryRegion register(MemoryRange range, int access);

    /**
     * Makes a queue pair in RESET (ibv_create_qp(3)).
     *
     * @param attributes what it needs; those it got are {@link QueuePair#initAttributes()}.
     * @return the queue pair.
     * @throws VerbsException with {@code EINVAL} if a capacity is out of the device's range.
     */
    QueuePair createQueuePair(QueuePairInitAttributes attributes);

    /**
     * Makes a shared receive queue (ibv_create_srq(3)).
     *
     * @param maxWorkRequests  outstanding receives it must hold at least.
     * @param maxScatterGather elements that a receive may have.
     * @return the shared receive queue.
     * @throws VerbsException with {@code EINVAL} if a number is out of the device's range.
     */
    SharedReceiveQueue createSharedReceiveQueue(int maxWorkRequests, int maxScatterGather);

    /**
     * Frees the protection domain (ibv_dealloc_pd(3)).
     *
     * @throws VerbsException with {@code EBUSY} while anything made from it is open.
     */
    @Override
    void close();
}
