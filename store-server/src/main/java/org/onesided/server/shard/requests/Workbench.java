package org.onesided.server.shard.requests;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.rpc.BatchLimits;
import org.onesided.server.queue.Postings;
import org.onesided.server.shard.execution.RequestExecutor;
import org.onesided.server.shard.logged.LoggedShard;
import org.onesided.server.table.ShardTable;

/**
 * Objects that a shard's queue pairs share: the executor, and scratch buffers that hold no state between requests.
 */
public final class Workbench implements AutoCloseable
{
    private final RequestExecutor executor;
    private final Publications publications;
    private final RoomQueue room;
    private final LoggedShard log;
    private final Postings postings = new Postings();
    private final UnsafeBuffer answer =
        new UnsafeBuffer(BufferUtil.allocateDirectAligned(BatchLimits.MAX_ANSWER_LENGTH, Long.BYTES));
    private final UnsafeBuffer largeAnswer = new UnsafeBuffer(0, 0);

    /**
     * @param table    of the shard.
     * @param executor of the shard.
     * @param room     where writes wait that find none.
     * @param log      the way of writes through the log; null if they take effect at once.
     */
    public Workbench(
        final ShardTable table, final RequestExecutor executor, final RoomQueue room, final LoggedShard log)
    {
        this.executor = executor;
        this.room = room;
        this.log = log;
        publications = new Publications(table, executor, answer, log == null ? null : log.pulls());
    }

    /**
     * @return the way of writes through the log, or null if they take effect at once.
     */
    public LoggedShard log()
    {
        return log;
    }

    /**
     * @return executes requests.
     */
    public RequestExecutor executor()
    {
        return executor;
    }

    /**
     * @return long values on their way into the table.
     */
    public Publications publications()
    {
        return publications;
    }

    /**
     * @return writes that wait for room.
     */
    public RoomQueue room()
    {
        return room;
    }

    /**
     * @return what is to be posted before the round ends.
     */
    public Postings postings()
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
