package org.onesided.server.shard;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.rpc.BatchLimits;
import org.onesided.server.queue.Postings;
import org.onesided.server.table.ShardTable;

/**
 * Objects that a shard's queue pairs share: the executor, and scratch buffers that hold no state between requests.
 */
final class Workbench implements AutoCloseable
{
    private final RequestExecutor executor;
    private final Publications publications;
    private final RoomQueue room;
    private final LoggedShard log;
    private final Postings postings = new Postings();
    private final UnsafeBuffer answer =
        new UnsafeBuffer(BufferUtil.allocateDirectAligned(BatchLimits.MAX_ANSWER_LENGTH, Long.BYTES));
    private final UnsafeBuffer largeAnswer = new UnsafeBuffer(0, 0);

    Workbench(
        final ShardTable table, final RequestExecutor executor, final RoomQueue room, final LoggedShard log)
    {
        this.executor = executor;
        this.room = room;
        this.log = log;
        publications = new Publications(table, executor, answer, log == null ? null : log.pulls());
    }

    /** The way of writes through the log, or null if they take effect at once. */
    LoggedShard log()
    {
        return log;
    }

    RequestExecutor executor()
    {
        return executor;
    }

    Publications publications()
    {
        return publications;
    }

    RoomQueue room()
    {
        return room;
    }

    Postings postings()
    {
        return postings;
    }

    /** Buffer for answers without a value. */
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
