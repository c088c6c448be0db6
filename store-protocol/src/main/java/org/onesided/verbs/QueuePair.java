package org.onesided.verbs;

/**
 * A reliable connected queue pair (ibv_create_qp(3)).
 */
public interface QueuePair extends AutoCloseable
{
    /**
     * @return its number, from 1; together with its port's address it names one queue pair.
     */
    int number();

    /**
     * @return what it was made with, capacities as granted.
     */
    QueuePairInitAttributes initAttributes();

    /**
     * What the peer's device needs to find this queue pair beyond the standard attributes, a one-time secret
     * included; goes into {@link AddressVector#deviceBytes} at the peer. It changes when the queue pair goes to
     * RESET.
     *
     * @return at most {@link AddressVector#MAX_DEVICE_BYTES} bytes; empty on hardware.
     */
    byte[] deviceBytes();

    /**
     * Changes attributes, the state among them (ibv_modify_qp(3)). On failure nothing changes. Completions are polled
     * before RESET: whether those left behind are dropped differs among devices.
     *
     * @param attributes values.
     * @param mask       which of them count, see {@link AttributeMask}.
     * @throws VerbsException with {@code EINVAL} if the transition does not exist, or a bit is missing or too much for
     *                        it, or a value is out of range.
     */
    void modify(QueuePairAttributes attributes, int mask);

    /**
     * @return all attributes as they are now (ibv_query_qp(3)).
     */
    QueuePairAttributes query();

    /**
     * @return the state now.
     */
    QueuePairState state();

    /**
     * The device's reason for the failure of the queue pair, beyond the status of the first completion that shows it,
     * and available at the latest with that completion; or the request that it still retries without an answer.
     *
     * @return one line that ends in its data; null if nothing is wrong or the device knows no more. May be called from
     *         any thread.
     */
    default String failureReason()
    {
        return null;
    }

    /**
     * Posts a chain of send requests (ibv_post_send(3)).
     *
     * @param workRequest    address of the first {@code ibv_send_wr}, see {@link SendRequest}.
     * @param badWorkRequest address of 8 bytes that get the address of the first refused request.
     * @return 0 or an errno: {@code ENOMEM} if the queue is full, {@code EINVAL} in RESET, INIT and RTR or for a
     *         request that is wrong in itself. Requests before the refused one stay posted.
     */
    int postSend(long workRequest, long badWorkRequest);

    /**
     * Posts a chain of receives (ibv_post_recv(3)).
     *
     * @param workRequest    address of the first {@code ibv_recv_wr}, see {@link ReceiveRequest}.
     * @param badWorkRequest address of 8 bytes that get the address of the first refused request.
     * @return 0 or an errno: {@code ENOMEM} if the queue is full, {@code EINVAL} in RESET, with a shared receive queue,
     *         or for a request that is wrong in itself. Requests before the refused one stay posted.
     */
    int postReceive(long workRequest, long badWorkRequest);

    /**
     * Destroys the queue pair (ibv_destroy_qp(3)): its outstanding requests complete no more, and its completions that
     * were not polled are gone. Posting to it afterwards is refused with {@code EINVAL}; no thread may be posting
     * meanwhile, since hardware's providers do not guard against that.
     */
    @Override
    void close();
}
