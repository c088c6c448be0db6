package org.onesided.server.shard;

import org.agrona.DirectBuffer;

/**
 * Hears what becomes of a large value that it has pulled. Called on the shard's thread.
 */
interface PullOwner
{
    /** The value was published, or refused: this is the answer to its request. */
    void onAnswer(Pull pull, DirectBuffer answer, int length);

    /** The pull is done, also if it failed. */
    void onDone(Pull pull);

    /** An error that nobody foresaw. */
    void onError(RuntimeException e);
}
