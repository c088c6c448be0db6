package org.onesided.server.shard;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.table.KeyHash;

/**
 * What a shard's connections work with, one after the other: flyweights and scratch buffers that none of them keeps.
 */
final class Workbench implements AutoCloseable
{
    private final RequestExecutor executor;
    private final KeyHash keyHash;
    private final Postings postings = new Postings();
    private final Request request = new Request();
    private final UnsafeBuffer answer =
        new UnsafeBuffer(BufferUtil.allocateDirectAligned(SessionGeometry.MAX_INLINE, Long.BYTES));
    private final UnsafeBuffer largeAnswer = new UnsafeBuffer(0, 0);

    Workbench(final RequestExecutor executor, final KeyHash keyHash)
    {
        this.executor = executor;
        this.keyHash = keyHash;
    }

    RequestExecutor executor()
    {
        return executor;
    }

    long hash(final long key, final int keyLength)
    {
        return keyHash.hash(key, keyLength);
    }

    Postings postings()
    {
        return postings;
    }

    /** The request that is looked at now. */
    Request request()
    {
        return request;
    }

    /** Where short answers are written. */
    UnsafeBuffer answer()
    {
        return answer;
    }

    /** To be wrapped around the buffer that an answer is sent from. */
    UnsafeBuffer largeAnswer()
    {
        return largeAnswer;
    }

    @Override
    public void close()
    {
        postings.close();
    }
}
