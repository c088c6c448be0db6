package org.onesided.client.session;

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
 * An attachment's means of communication: its queue pairs, one per shard that the session is for, their completions,
 * and the life line. For the session's thread, unless a method says otherwise.
 */
public final class Connection
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Connection.class);
    private static final long DRAIN_TIMEOUT_NS = 100_000_000L;

    /** The TCP connection with the server, which keeps the session alive. */
    interface Line
    {
        /**
         * Why the server ended the session, if it has said so by now, or null: the queue pairs may fail before the line
         * is read, and tell less.
         */
        String lastWords();

        /**
         * Tells the server what the session has done, and waits for the sums of what all have.
         *
         * @param deadline of the running operation.
         * @return the sums.
         * @throws DeadlinePassedException if they do not come in time.
         * @throws AttachmentLostException if the connection ends meanwhile.
         */
        SessionTotals reported(Deadline deadline);

        /** Says goodbye to the server and closes the connection. */
        void leave(String reason);

        /** Closes the connection without a goodbye, so that the server keeps the session to be resumed. */
        void drop();
    }

    private final Resources resources;
    private final int port;
    private final QueuePair[] queuePairs;
    /** Numbers for other threads, to which the queue pairs may already be closed. */
    private final int[] queuePairNumbers;
    private final CompletionLoop loop;
    private final Line line;

    /**
     * @param resources closed with the connection.
     * @param port      of the device that the queue pairs use.
     */
    Connection(
        final Resources resources,
        final int port,
        final QueuePair[] queuePairs,
        final CompletionLoop loop,
        final Line line)
    {
        this.resources = resources;
        this.port = port;
        this.queuePairs = queuePairs;
        this.loop = loop;
        this.line = line;
        queuePairNumbers = Stream.of(queuePairs).mapToInt(QueuePair::number).toArray();
    }

    /**
     * Whether a queue pair of that number is one of its, and has failed: an event may be of an earlier one. Safe to ask
     * from any thread.
     */
    boolean hasFailed(final int number)
    {
        return IntStream.range(0, queuePairNumbers.length).anyMatch((i) ->
            queuePairNumbers[i] == number && ReliableConnection.hasFailed(queuePairs[i]));
    }

    /** Safe to ask from any thread. */
    boolean uses(final CompletionQueue queue)
    {
        return loop.uses(queue);
    }

    /** The device's port that the queue pairs use. Safe to call from any thread. */
    int port()
    {
        return port;
    }

    CompletionLoop loop()
    {
        return loop;
    }

    /** The server's reason for ending the session, or null. */
    String lastWords()
    {
        return line.lastWords();
    }

    /**
     * The sums of what all clients have reported to the server, this session up to now included.
     *
     * @param deadline of the running operation.
     * @return the sums.
     */
    public SessionTotals reported(final Deadline deadline)
    {
        return line.reported(deadline);
    }

    /**
     * Takes leave of the server, moves the queue pairs to ERR, drains and destroys them: no buffer is written after
     * this.
     */
    void close()
    {
        line.leave("session ends");
        destroy();
    }

    /** As {@link #close}, but the server keeps the session to be resumed. */
    void closeToResume()
    {
        line.drop();
        destroy();
    }

    private void destroy()
    {
        try
        {
            for (final QueuePair queuePair : queuePairs)
            {
                fail(queuePair);
            }
            loop.drain(DRAIN_TIMEOUT_NS);
        }
        catch (final AttachmentLostException e)
        {
            LOGGER.debug("completions stay behind: {}", e.getMessage());
        }
        finally
        {
            resources.close();
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
            // The device is broken. The queue pair is destroyed next anyway.
            LOGGER.warn("queue pair cannot be moved to ERR", e);
        }
    }
}
