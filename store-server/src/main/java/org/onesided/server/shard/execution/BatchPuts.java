package org.onesided.server.shard.execution;

import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.rpc.BatchLimits;
import org.onesided.protocol.rpc.codec.MessageHeaderEncoder;
import org.onesided.protocol.rpc.codec.PutBatchAnswerEncoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.KeyHash;
import org.onesided.server.shard.ShardCounters;
import org.onesided.server.shard.session.RequestWindow;
import org.onesided.server.table.Expiry;
import org.onesided.server.table.ShardTable;
import org.onesided.server.table.WriteResult;

/**
 * Executes batches of puts on a shard's table and writes their answers. The puts take effect in their order. One that
 * fails leaves those behind it alone; one that finds no room yet holds them up, and the session's window remembers what
 * became of those before it. Belongs to the shard's thread.
 */
public final class BatchPuts
{
    private final ShardTable table;
    private final KeyHash keyHash;
    private final int shard;
    private final int shards;
    private final ShardCounters counters;
    private final WriteResult result = new WriteResult();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final PutBatchAnswerEncoder batchAnswer = new PutBatchAnswerEncoder();
    /** Hashes of the keys of the present batch; 0 for one that is invalid. */
    private final long[] hashes = new long[BatchLimits.MAX_PUTS];
    private final byte[] statuses = new byte[BatchLimits.MAX_PUTS];
    /** Where the keys are now; 0 if that is not known. */
    private final long[] slotWords = new long[BatchLimits.MAX_PUTS];
    private final long[] bucketOffsets = new long[BatchLimits.MAX_PUTS];
    private final byte[] slotIndexes = new byte[BatchLimits.MAX_PUTS];
    private int executed;
    /** Keeps the compiler from removing the prefetches. */
    private long fetched;

    /**
     * @param table    to execute on.
     * @param keyHash  of the table.
     * @param shard    number of the shard.
     * @param shards   how many there are.
     * @param counters of the shard.
     */
    BatchPuts(
        final ShardTable table,
        final KeyHash keyHash,
        final int shard,
        final int shards,
        final ShardCounters counters)
    {
        this.table = table;
        this.keyHash = keyHash;
        this.shard = shard;
        this.shards = shards;
        this.counters = counters;
    }

    /**
     * Executes a batch, or what is left of it.
     *
     * @param batch  to execute.
     * @param window of its session.
     * @param answer where the answer is written.
     * @return the answer's length, or {@link RequestExecutor#WAIT} if the put that the request is at has no room yet.
     */
    public int execute(final Request batch, final RequestWindow window, final UnsafeBuffer answer)
    {
        return execute(batch, null, window, answer);
    }

    /**
     * As {@link #execute(Request, RequestWindow, UnsafeBuffer)}, but refuses each put that has no room yet.
     *
     * @param batch    to execute.
     * @param roomless status of those.
     * @param window   of its session.
     * @param answer   where the answer is written.
     * @return the answer's length.
     */
    public int giveUp(final Request batch, final Status roomless, final RequestWindow window, final UnsafeBuffer answer)
    {
        return execute(batch, roomless, window, answer);
    }

    private int execute(
        final Request batch, final Status roomless, final RequestWindow window, final UnsafeBuffer answer)
    {
        final int puts = batch.puts();
        int done = begin(batch, window);
        fetchAhead(batch, puts);
        batch.rewind();
        try
        {
            for (int i = 0; i < puts; i++)
            {
                batch.nextPut();
                if (i >= done)
                {
                    if (!tryPut(batch, i, roomless))
                    {
                        return RequestExecutor.WAIT;
                    }
                    done++;
                }
            }
        }
        finally
        {
            // It waits, or failed at a put: those before that are not executed again.
            if (done < puts)
            {
                window.progress(batch.requestId(), statuses, done);
            }
        }
        return answer(batch.requestId(), batch.puts(), answer);
    }

    /** Whether a put is executed or refused; if not, it has no room yet, and there is no status for such. */
    private boolean tryPut(final Request batch, final int put, final Status roomless)
    {
        Status status = put(batch, hashes[put]);
        if (status == Status.BUSY)
        {
            if (roomless == null)
            {
                return false;
            }
            status = roomless;
            counters.refused(status);
        }
        statuses[put] = (byte)status.value();
        if (status == Status.OK)
        {
            slotWords[put] = result.slotWord();
            bucketOffsets[put] = result.bucketOffset();
            slotIndexes[put] = (byte)result.slotIndex();
        }
        executed++;
        return true;
    }

    /**
     * Refuses what is left of a batch.
     *
     * @param batch  to refuse.
     * @param status of what is left.
     * @param window of its session.
     * @param answer where the answer is written.
     * @return the answer's length.
     */
    public int refuse(final Request batch, final Status status, final RequestWindow window, final UnsafeBuffer answer)
    {
        for (int i = begin(batch, window); i < batch.puts(); i++)
        {
            statuses[i] = (byte)status.value();
            counters.refused(status);
        }
        return answer(batch.requestId(), batch.puts(), answer);
    }

    /**
     * Remembers what became of the batch that was answered last.
     *
     * @param batch  that was answered.
     * @param window of its session.
     */
    public void remember(final Request batch, final RequestWindow window)
    {
        window.doneBatch(batch.requestId(), statuses, batch.puts());
    }

    /**
     * Answers a batch that is done, as the window remembers it: with the statuses, and without places.
     *
     * @param requestId of the batch.
     * @param window    of its session.
     * @param answer    where the answer is written.
     * @return the answer's length.
     */
    public int again(final long requestId, final RequestWindow window, final UnsafeBuffer answer)
    {
        forgetPlaces(BatchLimits.MAX_PUTS);
        return answer(requestId, window.progress(requestId, statuses), answer);
    }

    private void forgetPlaces(final int puts)
    {
        Arrays.fill(slotWords, 0, puts, 0);
        Arrays.fill(bucketOffsets, 0, puts, 0);
        Arrays.fill(slotIndexes, 0, puts, (byte)0);
    }

    /** Takes over what became of the first puts, but for the places of their keys; returns how many these are. */
    private int begin(final Request batch, final RequestWindow window)
    {
        forgetPlaces(batch.puts());
        return window.progress(batch.requestId(), statuses);
    }

    /**
     * @return how many puts were executed since this was asked last.
     */
    public int takeExecuted()
    {
        final int count = executed;
        executed = 0;
        return count;
    }

    /** Prefetches the buckets, then the records, of the keys, so that their cache misses overlap. */
    private void fetchAhead(final Request batch, final int puts)
    {
        long sum = 0;
        batch.rewind();
        for (int i = 0; i < puts; i++)
        {
            batch.nextPut();
            hashes[i] = batch.hasValidKey() ? keyHash.hash(batch.key(), batch.keyLength()) : 0;
            sum += hashes[i] == 0 ? 0 : table.lookups().fetchBucket(hashes[i]);
        }
        for (int i = 0; i < puts; i++)
        {
            sum += hashes[i] == 0 ? 0 : table.lookups().fetchRecord(hashes[i]);
        }
        fetched = sum;
    }

    private Status put(final Request batch, final long hash)
    {
        final boolean isForThisShard = batch.hasValidKey() && KeyHash.shard(hash, shards) == shard;
        final Status status = !isForThisShard ? Status.INVALID : table.put(
            hash, batch.key(), batch.keyLength(), batch.value(), batch.valueLength(), Expiry.DEFAULT, result);
        if (status != Status.OK && status != Status.BUSY)
        {
            counters.refused(status);
        }
        return status;
    }

    private int answer(final long requestId, final int puts, final UnsafeBuffer answer)
    {
        final PutBatchAnswerEncoder.OutcomesEncoder outcomes =
            batchAnswer.wrapAndApplyHeader(answer, 0, header).requestId(requestId).outcomesCount(puts);
        for (int i = 0; i < puts; i++)
        {
            outcomes.next()
                .slotWord(slotWords[i])
                .bucketOffset(bucketOffsets[i])
                .slotIndex(slotIndexes[i])
                .status(Status.get(statuses[i]));
        }
        return batchAnswer.limit();
    }
}
