package org.onesided.verbs;

/**
 * Receives that several queue pairs take from (ibv_create_srq(3)).
 */
public interface SharedReceiveQueue extends AutoCloseable
{
    /**
     * @return how many receives may be outstanding; at least as many as asked for.
     */
    int maxWorkRequests();

    /**
     * Posts a chain of receives (ibv_post_srq_recv(3)).
     *
     * @param workRequest    address of the first {@code ibv_recv_wr}.
     * @param badWorkRequest address of 8 bytes that get the address of the first refused request.
     * @return 0 or an errno: {@code ENOMEM} if the queue is full, {@code EINVAL} for a request that is wrong in itself.
     */
    int postReceive(long workRequest, long badWorkRequest);

    /**
     * Destroys the queue (ibv_destroy_srq(3)). Posting to it afterwards is refused with {@code EINVAL}; no thread may
     * be posting meanwhile.
     *
     * @throws VerbsException with {@code EBUSY} while a queue pair uses it.
     */
    @Override
    void close();
}
