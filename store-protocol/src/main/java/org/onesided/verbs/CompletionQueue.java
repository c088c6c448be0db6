package org.onesided.verbs;

/**
 * Collects the completions of its queue pairs (ibv_create_cq(3)).
 *
 * <p>Software devices have no hardware that works on its own: they make progress for the queue pairs of a completion
 * queue while someone posts to them, polls this queue, or waits on its channel.
 */
public interface CompletionQueue extends AutoCloseable
{
    /**
     * @return how many completions it holds before it overflows; at least as many as asked for.
     */
    int capacity();

    /**
     * Takes completions out (ibv_poll_cq(3)). Each also frees the send-queue slots of the requests before it.
     *
     * @param address of an array of {@code ibv_wc}, see {@link WorkCompletions}.
     * @param count   how many fit there.
     * @return number of completions, or a negative errno if the completion queue is broken. Hardware reports that only
     *         by {@link AsyncEvent.Type#CQ_ERR}, so polling fails once that event was awaited.
     */
    int poll(long address, int count);

    /**
     * Arms the queue: the next completion added after this call causes one event on its channel
     * (ibv_req_notify_cq(3)). Arm, then poll again until empty, then wait.
     *
     * @param solicitedOnly whether only solicited receives and error completions count.
     * @return 0 or an errno; {@code EINVAL} without a channel.
     */
    int requestNotify(boolean solicitedOnly);

    /**
     * Acknowledges events got from the channel (ibv_ack_cq_events(3)).
     *
     * @param count of events; a number above that of the outstanding ones is reduced to it.
     */
    void acknowledgeEvents(int count);

    /**
     * Destroys the queue (ibv_destroy_cq(3)). Polling or arming it afterwards fails with {@code EINVAL}; no thread may
     * be doing so meanwhile, since hardware's providers do not guard against that.
     *
     * @throws VerbsException with {@code EBUSY} while a queue pair uses it or an event is not acknowledged.
     */
    @Override
    void close();
}
