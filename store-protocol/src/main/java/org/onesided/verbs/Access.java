package org.onesided.verbs;

/**
 * Access flags of memory regions and queue pairs, with libibverbs' values (ibv_reg_mr(3), ibv_modify_qp(3)).
 */
public final class Access
{
    /** The owner's own device may write: needed by receives and by the targets of READs and atomics. */
    public static final int LOCAL_WRITE = 1;

    /** Peers may RDMA WRITE. A memory region needs {@link #LOCAL_WRITE} as well. */
    public static final int REMOTE_WRITE = 1 << 1;

    /** Peers may RDMA READ. */
    public static final int REMOTE_READ = 1 << 2;

    /** Peers may compare-and-swap and fetch-and-add. A memory region needs {@link #LOCAL_WRITE} as well. */
    public static final int REMOTE_ATOMIC = 1 << 3;

    /** Memory windows may be bound to the region. */
    public static final int MW_BIND = 1 << 4;

    /** Peers address the region from 0 on, and not by its raw addresses. */
    public static final int ZERO_BASED = 1 << 5;

    /** Pages are not locked but fetched when a request needs them, on devices that can. */
    public static final int ON_DEMAND = 1 << 6;

    /** The memory is in huge pages, which the device may rely on. */
    public static final int HUGETLB = 1 << 7;

    /** Writes to the region may become visible out of order; a hint, which devices may ignore. */
    public static final int RELAXED_ORDERING = 1 << 20;

    /** All that a peer may be granted. */
    public static final int REMOTE_ANY = REMOTE_WRITE | REMOTE_READ | REMOTE_ATOMIC;

    private Access()
    {
    }
}
