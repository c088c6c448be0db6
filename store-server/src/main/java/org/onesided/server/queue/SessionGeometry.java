package org.onesided.server.queue;

/**
 * How much a session may have under way at one shard, and what that takes.
 *
 * @param credits       requests that a session may have outstanding, from 1.
 * @param messageLength longest request or answer in bytes, a multiple of 64.
 * @param answerBuffers buffers for answers that do not go inline, from 1.
 * @param reads         RDMA READs outstanding while large values are pulled, from 1.
 * @param pieceLength   longest RDMA READ in bytes.
 * @param pullLimit     bytes of large values under way, or lent out; a single value may exceed it.
 */
public record SessionGeometry(
    int credits, int messageLength, int answerBuffers, int reads, int pieceLength, long pullLimit)
{
    /** Requested length of inline data: room for every answer without a value. */
    public static final int MAX_INLINE = 128;

    /**
     * An answer frees its slot of the send queue only when a later signaled one completes, so there are two slots for
     * each credit.
     *
     * @return slots of the send queue.
     */
    public int sendSlots()
    {
        return 2 * credits + reads;
    }

    /**
     * @return completions that a queue pair can have in its completion queue at a time, flushed ones included.
     */
    public int completions()
    {
        return sendSlots() + credits;
    }

    /**
     * @return bytes of registered memory that the buffers take at one shard.
     */
    public long bufferLength()
    {
        return (long)(credits + answerBuffers) * messageLength;
    }

    /**
     * @return ids of requests that are remembered, a power of two: more than can be outstanding.
     */
    public int window()
    {
        return Integer.highestOneBit(credits) * 4;
    }
}
