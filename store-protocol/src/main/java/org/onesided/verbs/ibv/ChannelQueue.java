package org.onesided.verbs.ibv;

import org.onesided.verbs.CompletionQueue;

/**
 * The channel's view of a completion queue.
 */
interface ChannelQueue extends CompletionQueue
{
    /**
     * @return address of the {@code ibv_cq}.
     */
    long handle();

    /**
     * An event was got from the channel; under its lock.
     */
    void onEvent();
}
