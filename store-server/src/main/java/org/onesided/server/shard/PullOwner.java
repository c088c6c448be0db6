package org.onesided.server.shard;

import org.agrona.DirectBuffer;

/**
 * Receives the results of pulls. Called on the shard's thread.
 */
interface PullOwner
{
    /** The session that put the value. */
    ShardSession session();

    /** The value was published, or refused: this is the answer to its request. */
    void onAnswer(Pull pull, DirectBuffer answer, int length);

    /** The pull is done, also if it failed. */
    void onDone(Pull pull);

    /** An unexpected error. */
    void onError(RuntimeException e);
}
