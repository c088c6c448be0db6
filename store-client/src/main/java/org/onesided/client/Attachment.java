package org.onesided.client;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.onesided.protocol.bootstrap.SessionTotals;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All that binds a session to one life of a server, and is replaced together: queue pairs, buffers, the table's
 * addresses and keys, its seeds, its epoch and its mirror. For the session's thread.
 */
final class Attachment implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Attachment.class);
    private static final long DRAIN_TIMEOUT_NS = 100_000_000L;

    /** The parts that {@link Attacher} made. */
    record Parts(
        Resources resources,
        Resources batchResources,
        ClientDevice device,
        int port,
        QueuePair[] queuePairs,
        CompletionLoop loop,
        LifeLine lifeLine,
        LifeLine.Line line,
        ServerInfo server,
        SessionIdentity identity,
        boolean isResumed,
        Table table,
        Segments segments,
        RegisteredBuffer recordSpace,
        VerbsReader reader,
        RecordReader records,
        Lookup lookup,
        RequestSlots slots,
        Rpc rpc)
    {
    }

    private static final int BATCH_LANES = CompletionLoop.LANES - 1;

    private final Parts parts;
    private RegisteredBuffer batchSpace;
    /** To be asked for from other threads, when the queue pairs may be gone. */
    private final int[] queuePairNumbers;

    Attachment(final Parts parts)
    {
        this.parts = parts;
        queuePairNumbers = Stream.of(parts.queuePairs()).mapToInt(QueuePair::number).toArray();
    }

    /**
     * Whether a queue pair of that number is one of its, and has failed: an event may be of an earlier one. Safe to ask
     * from any thread.
     */
    boolean hasFailed(final int number)
    {
        return IntStream.range(0, queuePairNumbers.length).anyMatch((i) ->
            queuePairNumbers[i] == number && ReliableConnection.hasFailed(parts.queuePairs()[i]));
    }

    /** Safe to ask from any thread. */
    boolean uses(final CompletionQueue queue)
    {
        return parts.loop().uses(queue);
    }

    /** The device's port that its queue pairs use. Safe to ask from any thread. */
    int port()
    {
        return parts.port();
    }

    ServerInfo server()
    {
        return parts.server();
    }

    /** Whether the session is the one that was to be resumed, its unanswered requests still known. */
    boolean isResumed()
    {
        return parts.isResumed();
    }

    /** What it takes to resume the session. */
    SessionIdentity identity()
    {
        return parts.identity();
    }

    /** The requests of its session. They outlive it. */
    RequestSlots slots()
    {
        return parts.slots();
    }

    Table table()
    {
        return parts.table();
    }

    Segments segments()
    {
        return parts.segments();
    }

    RegisteredBuffer recordSpace()
    {
        return parts.recordSpace();
    }

    VerbsReader reader()
    {
        return parts.reader();
    }

    /** Room for what a lane's READs of a batch bring; made when it is first needed. */
    RegisteredBuffer batchSpace(final int lane)
    {
        if (batchSpace == null)
        {
            try
            {
                batchSpace = parts.device().register(
                    parts.batchResources(), (long)BATCH_LANES * BatchGroup.SPACE_LENGTH);
            }
            catch (final RuntimeException e)
            {
                parts.batchResources().close();
                throw e;
            }
        }
        return batchSpace.slice((long)(lane - 1) * BatchGroup.SPACE_LENGTH, BatchGroup.SPACE_LENGTH);
    }

    RecordReader records()
    {
        return parts.records();
    }

    Lookup lookup()
    {
        return parts.lookup();
    }

    Rpc rpc()
    {
        return parts.rpc();
    }

    CompletionLoop loop()
    {
        return parts.loop();
    }

    boolean isLost()
    {
        return parts.loop().isLost();
    }

    /** Wakes the session's thread, from any thread, to find the attachment lost. */
    void lose(final String reason)
    {
        parts.loop().lose(reason);
    }

    /** Why the server ended the session, if it has said so, or null. */
    String lastWords()
    {
        return parts.line().lastWords();
    }

    /** The sums of what all clients have reported to the server, this session up to now included. */
    SessionTotals reported(final Deadline deadline)
    {
        return parts.line().reported(deadline);
    }

    /**
     * Takes leave of the server, moves the queue pairs to ERR, drains and destroys them: no buffer is written after
     * this.
     */
    @Override
    public void close()
    {
        parts.lifeLine().end(parts.line(), "session ends");
        destroy();
    }

    /** As {@link #close}, but the server is to keep the session for {@link #identity} to be resumed. */
    void closeToResume()
    {
        parts.lifeLine().drop(parts.line());
        destroy();
    }

    private void destroy()
    {
        try
        {
            for (final QueuePair queuePair : parts.queuePairs())
            {
                fail(queuePair);
            }
            parts.loop().drain(DRAIN_TIMEOUT_NS);
        }
        catch (final AttachmentLostException e)
        {
            LOGGER.debug("completions stay behind: {}", e.getMessage());
        }
        finally
        {
            parts.resources().close();
        }
    }

    private static void fail(final QueuePair queuePair)
    {
        try
        {
            if (queuePair.state() != QueuePairState.ERR)
            {
                ReliableConnection.fail(queuePair);
            }
        }
        catch (final VerbsException e)
        {
            // A broken device; the queue pair is about to be destroyed anyway.
            LOGGER.warn("queue pair cannot be moved to ERR", e);
        }
    }
}
