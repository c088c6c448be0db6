package org.onesided.server.shard.execution;

import org.agrona.DirectBuffer;
import org.onesided.server.shard.session.ShardSession;

/**
 * Receives the results of pulls. Called on the shard's thread.
 */
public interface PullOwner
{
    /**
     * @return the session that put the value.
     */
    ShardSession session();

    /**
     * The value was published, or refused: this is the answer to its request.
     *
     * @param pull   that was published or refused.
     * @param answer holds the answer at its beginning.
     * @param length of the answer in bytes.
     */
    void onAnswer(Pull pull, DirectBuffer answer, int length);

    /**
     * The pull is done, also if it failed.
     *
     * @param pull that is done.
     */
    void onDone(Pull pull);

    /**
     * An unexpected error.
     *
     * @param e the error.
     */
    void onError(RuntimeException e);
}
