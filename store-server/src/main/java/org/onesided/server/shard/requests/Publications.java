package org.onesided.server.shard.requests;

import java.util.ArrayDeque;
import java.util.Deque;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.server.shard.execution.Pull;
import org.onesided.server.shard.execution.PullOwner;
import org.onesided.server.shard.execution.Request;
import org.onesided.server.shard.execution.RequestExecutor;
import org.onesided.server.shard.proposal.LoggedPulls;
import org.onesided.server.table.LongPuts;
import org.onesided.server.table.ShardTable;

/**
 * Large values on their way into the table: an extent is reserved, the device pulls the value into it, and the shard
 * publishes it in steps, serving other requests in between. Belongs to the shard's thread.
 */
public final class Publications
{
    private static final int STEP_LENGTH = 256 << 10;

    private final ShardTable table;
    private final RequestExecutor executor;
    private final UnsafeBuffer answer;
    private final LoggedPulls logged;
    /** Values that were pulled completely. Each advances by one step at a time. */
    private final Deque<Pull> pulls = new ArrayDeque<>();
    /** Owners of these values, in the same order. */
    private final Deque<PullOwner> owners = new ArrayDeque<>();
    /** Free objects. */
    private final Deque<Pull> idle = new ArrayDeque<>();
    private Status reserveStatus;

    /**
     * @param table    where values are published.
     * @param executor of the shard.
     * @param answer   where answers are written.
     * @param logged   takes values that a log has to have before they are published; or null.
     */
    Publications(
        final ShardTable table, final RequestExecutor executor, final UnsafeBuffer answer, final LoggedPulls logged)
    {
        this.logged = logged;
        this.table = table;
        this.executor = executor;
        this.answer = answer;
    }

    /**
     * Takes room for a large value; null if there is none, and {@link #reserveStatus} says why: BUSY if there may be
     * some later.
     */
    Pull reserve(final Request of)
    {
        final int length = (int)of.block().largeValueLength();
        final long extent = table.longPuts().reserve(of.keyHash(), of.key(), of.keyLength(), length);
        if (extent < 0)
        {
            reserveStatus = extent == LongPuts.WAIT ? Status.BUSY :
                extent == LongPuts.FULL ? table.fullStatus() : Status.INVALID;
            return null;
        }
        final Pull free = idle.poll();
        final Pull pull =
            (free == null ? new Pull() : free).begin(of, extent, table.reservations().valueAddress(extent));
        if (logged != null)
        {
            pull.keepMessage(of.message());
        }
        return pull;
    }

    Status reserveStatus()
    {
        return reserveStatus;
    }

    /** Releases the extent of a pull. Nothing may write into it any more. */
    void abandon(final Pull pull)
    {
        table.reservations().abandon(pull.extent());
    }

    /** Publishes a complete value, from the next {@link #step} on. */
    void add(final PullOwner owner, final Pull pull)
    {
        owners.add(owner);
        pulls.add(pull);
    }

    /**
     * Goes on with one publication.
     *
     * @return how many there were to go on with: 0 or 1.
     */
    public int step()
    {
        // Values that wait for memory of the index hold up no others. The shard is woken when it comes, or is refused.
        for (int left = pulls.size(); left > 0; left--)
        {
            final Pull pull = pulls.poll();
            final PullOwner owner = owners.poll();
            if (step(owner, pull))
            {
                return 1;
            }
            add(owner, pull);
        }
        return 0;
    }

    /** Whether something was done; if not, the value waits. */
    private boolean step(final PullOwner owner, final Pull pull)
    {
        try
        {
            if (!table.reservations().publishStep(pull.extent(), STEP_LENGTH))
            {
                add(owner, pull);
                return true;
            }
            if (logged != null)
            {
                logged.add(owner, pull);
                return true;
            }
            if (table.longPuts().mustWait(pull.extent()))
            {
                return false;
            }
            owner.onAnswer(pull, answer, executor.publish(pull, answer));
        }
        catch (final RuntimeException e)
        {
            // Reports the error first, so that no request is answered.
            owner.onError(e);
        }
        try
        {
            owner.onDone(pull);
            idle.add(pull);
        }
        catch (final RuntimeException e)
        {
            owner.onError(e);
        }
        return true;
    }
}
