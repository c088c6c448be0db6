package org.onesided.verbs;

import java.util.List;
import java.util.Map;

/**
 * An open device. Owns all that is made from it.
 */
public interface Context extends AutoCloseable
{
    /**
     * @return the device that was opened.
     */
    Device device();

    /**
     * @return limits of the device (ibv_query_device(3)).
     */
    DeviceAttributes queryDevice();

    /**
     * @param port number, from 1.
     * @return the port's state and limits (ibv_query_port(3)).
     * @throws VerbsException with {@code EINVAL} for a port that the device does not have.
     */
    PortAttributes queryPort(int port);

    /**
     * @param port  number, from 1.
     * @param index into the port's GID table.
     * @return the address in that place (ibv_query_gid(3)).
     * @throws VerbsException with {@code EINVAL} for a port or index that the device does not have.
     */
    Gid queryGid(int port, int index);

    /**
     * Lists the used places of a port's GID table (ibv_query_gid_table(3)), with their types.
     *
     * @param port number, from 1.
     * @return the entries by index.
     * @throws VerbsException with {@code EINVAL} for a port that the device does not have.
     */
    List<GidEntry> queryGidTable(int port);

    /**
     * Allocates zeroed memory in pages of the usual size, see {@link #allocate(long, HugePages)}.
     *
     * @param length in bytes; may pass 2 GiB.
     * @return the memory, aligned to a page; the caller closes it after the regions registered over it.
     * @throws VerbsException with {@code ENOMEM} or {@code ENOSPC}, naming what is full.
     */
    default DeviceMemory allocate(final long length)
    {
        return allocate(length, HugePages.OFF);
    }

    /**
     * Allocates zeroed memory that this device can register for remote access. Software devices share it, so theirs
     * must come from here. Its storage is reserved at once: memory that cannot be had is an error now and not a
     * fault later.
     *
     * @param length    in bytes; may pass 2 GiB.
     * @param hugePages whether it is to be had in huge pages.
     * @return the memory, aligned to a page; the caller closes it after the regions registered over it.
     * @throws VerbsException with {@code ENOMEM} or {@code ENOSPC}, naming what is full; {@code EOPNOTSUPP} if
     *                        nothing on this machine is in huge pages that the device can use, and they are wanted
     *                        always.
     */
    DeviceMemory allocate(long length, HugePages hugePages);

    /**
     * Takes addresses for memory that this device can register for remote access, piece by piece as it comes. Addresses
     * cost next to nothing, so they may be many more than the machine has memory.
     *
     * @param length    of the addresses in bytes.
     * @param hugePages whether pages are to be huge.
     * @return the memory, nothing of which exists; the caller closes it after the regions registered over it.
     * @throws VerbsException with {@code ENOMEM} if there are not so many addresses; {@code EOPNOTSUPP} if nothing on
     *                        this machine is in huge pages that the device can use, and they are wanted always.
     */
    GrowableMemory allocateGrowable(long length, HugePages hugePages);

    /**
     * Tells whether a region may cover memory that does not exist yet (on-demand paging, {@code IBV_ACCESS_ON_DEMAND}
     * in ibv_reg_mr(3)). Registered over all addresses of a {@link GrowableMemory}, it takes in what comes later. Peers
     * must know from elsewhere what exists.
     *
     * @return whether it may; if not, memory is registered once it exists.
     */
    default boolean registersOnDemand()
    {
        return false;
    }

    /**
     * Gets zeroed memory for this process alone: no peer reaches it, and it is not meant to be registered. Its pages
     * come into being when they are first used, so a large one costs little before that. Pages of the huge kind that
     * were reserved for such use, and all that are wanted always, exist at once.
     *
     * @param length    in bytes; may pass 2 GiB.
     * @param hugePages whether it is to be had in huge pages.
     * @return the memory, aligned to a page; the caller closes it.
     * @throws VerbsException with {@code ENOMEM} if there is not so much, or not in huge pages though they are wanted
     *                        always; {@code EOPNOTSUPP} if this machine never has huge pages, and they are;
     *                        {@code EINVAL} for a length below 1.
     */
    DeviceMemory reserve(long length, HugePages hugePages);

    /**
     * @return a new protection domain (ibv_alloc_pd(3)).
     */
    ProtectionDomain allocateProtectionDomain();

    /**
     * @return a new completion channel (ibv_create_comp_channel(3)).
     */
    CompletionChannel createCompletionChannel();

    /**
     * Makes a completion queue (ibv_create_cq(3)).
     *
     * @param capacity  completions it must hold at least, from 1.
     * @param channel   that reports its events, or null.
     * @param vector    completion vector, from 0.
     * @return the completion queue.
     * @throws VerbsException with {@code EINVAL} if a number is out of the device's range.
     */
    CompletionQueue createCompletionQueue(int capacity, CompletionChannel channel, int vector);

    /**
     * Asks for the device's own counters of a port. With an RDMA device they are those that its driver shows in sysfs,
     * under the driver's names; a software device counts {@code rdma_reads}, those that it has done well, and the
     * {@code rdma_read_bytes} that these brought.
     *
     * @param port from 1.
     * @return name and value of each; empty where the device counts nothing.
     */
    default Map<String, Long> queryCounters(final int port)
    {
        return Map.of();
    }

    /**
     * Tells what went wrong by what peers did or left undone, since the device was opened; safe to ask from any thread.
     *
     * @return how often each of the device's reasons occurred, also those that did not; empty where it counts none.
     */
    default Map<String, Long> queryFaults()
    {
        return Map.of();
    }

    /**
     * Waits for an asynchronous event (ibv_get_async_event(3)); it needs no acknowledgement.
     *
     * @param timeoutNs how long to wait at most, in nanoseconds; 0 only looks.
     * @return the event, or null if none came in time.
     */
    AsyncEvent awaitAsyncEvent(long timeoutNs);

    /**
     * Makes a thread in {@link #awaitAsyncEvent} return, or the next one that calls it. Where it has no effect, that
     * thread returns when its time is up.
     */
    default void wakeUpAsyncWaiter()
    {
    }

    /**
     * Whether the device has failed for good, even if no thread has taken the event that reports it.
     *
     * @return whether this context is unusable.
     */
    default boolean hasFailed()
    {
        return false;
    }

    /**
     * Whether asynchronous events are the only report of some failures: a port that went down, a failed device, a
     * failed queue pair without outstanding requests, or a fault of a peer. With most software devices no thread needs
     * to wait for events.
     *
     * @return whether a thread should wait for asynchronous events.
     */
    default boolean hasHardwareEvents()
    {
        return true;
    }

    /**
     * Closes the device (ibv_close_device(3)).
     *
     * @throws VerbsException with {@code EBUSY} while anything made from it is open.
     */
    @Override
    void close();
}
