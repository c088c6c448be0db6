package org.onesided.protocol.rpc;

/**
 * Limits of batches: puts that come in one message and are answered by one.
 */
public final class BatchLimits
{
    /** Most puts of a batch: a shard executes them in some 50 microseconds. */
    public static final int MAX_PUTS = 64;
    /** More bytes than the answer to a batch has, and fewer than the shortest message length that a server may set. */
    public static final int MAX_ANSWER_LENGTH = 2048;

    private BatchLimits()
    {
    }
}
