package org.onesided.client.session;

import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.bootstrap.SessionIdentity;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.types.ServerInfo;
import org.onesided.waiting.Pause;

/**
 * Keeps a session attached: replaces a lost attachment when an operation needs it, at the pace of {@link ReconnectPace}
 * and within the operation's deadline. If writes are pending, it resumes the session and they are sent again. For the
 * session's thread, except {@link #wakeUp}, {@link #attachment}, {@link #isAttached} and {@link #server}.
 */
public final class Reconnector
{
    /** How often a thread that waits to reconnect checks whether the client was closed. */
    private static final long MAX_NAP_NS = 50_000_000L;

    /** Makes attachments. */
    @FunctionalInterface
    interface Source
    {
        /**
         * Attaches within the deadline of the running operation.
         *
         * @param resume session to resume, or {@link SessionIdentity#NONE}.
         * @throws AttachFailedException if it cannot.
         */
        Attachment attach(SessionIdentity resume) throws AttachFailedException;
    }

    private final RunningOperation operation;
    private final ReconnectPace pace;
    private final UnaryOperator<String> lossReason;
    private final Counters counters;

    private Source source;
    private PendingRequests requests;
    private volatile Attachment attachment;
    private volatile ServerInfo server;
    /** The session that the next attachment is to resume, if writes of it are pending. */
    private SessionIdentity resume = SessionIdentity.NONE;
    private String lostReason = "";
    /** Why the latest attempt to reconnect failed; null after a success. */
    private AttachFailedException failure;

    /**
     * @param lossReason gives why an attachment was lost, from what was seen of it.
     */
    Reconnector(
        final RunningOperation operation,
        final ReconnectPace pace,
        final UnaryOperator<String> lossReason,
        final Counters counters)
    {
        this.operation = operation;
        this.pace = pace;
        this.lossReason = lossReason;
        this.counters = counters;
    }

    /**
     * Takes the first attachment.
     *
     * @param attacher  makes the next ones.
     * @param ofSession go over these attachments.
     */
    void begin(final Attachment first, final Source attacher, final PendingRequests ofSession)
    {
        source = attacher;
        requests = ofSession;
        server = first.server();
        attachment = first;
        first.requests().takeOver();
    }

    /**
     * @return what the session is attached to now, or null.
     */
    public Attachment attachment()
    {
        return attachment;
    }

    /**
     * @return whether the next operation needs no reconnecting, as far as is known.
     */
    public boolean isAttached()
    {
        final Attachment current = attachment;
        return current != null && !current.isLost();
    }

    /**
     * @return the server as of the latest attachment.
     */
    public ServerInfo server()
    {
        return server;
    }

    /** Wakes the session's thread to notice that the client was closed. */
    void wakeUp()
    {
        final Attachment current = attachment;
        if (current != null)
        {
            current.lose("client was closed");
        }
    }

    /**
     * The attachment, a new one if the one before was lost. Where writes are pending, it resumes the session and sends
     * them again; if it cannot, they are lost.
     *
     * @param fate to report if none can be had in time.
     * @return an attachment that is not lost, as far as is known.
     */
    public Attachment attached(final WriteFate fate)
    {
        final Attachment current = attachment;
        if (current != null)
        {
            if (!current.isLost())
            {
                return current;
            }
            detach(current.loop().lostReason());
        }
        return reconnect(fate);
    }

    /**
     * Drops the attachment: after this no completion can write to any buffer. Its session goes with it, unless writes
     * are pending: taking leave would make the server forget whether it did them.
     *
     * @param reason why, in a line.
     */
    public void detach(final String reason)
    {
        // An attachment that was already lost keeps its first reason.
        if (attachment != null)
        {
            final Attachment current = dropped(reason);
            requests.detached();
            if (requests.hasPendingWrites())
            {
                resume = current.identity();
                current.closeToResume();
            }
            else
            {
                resume = SessionIdentity.NONE;
                current.close();
            }
        }
    }

    /**
     * The attachment was lost in the midst of an operation, which is to go on over the next if there is time.
     *
     * @param lost says how.
     * @param fate to report if there is no time.
     */
    public void detach(final AttachmentLostException lost, final WriteFate fate)
    {
        detach(lost.getMessage());
        checkDeadline(late(lost), fate);
    }

    /**
     * Carries an operation out that only reads, anew where the attachment is lost meanwhile.
     *
     * @param step over an attachment.
     * @param late what to say when the deadline passes.
     * @param <T>  type of what it gives.
     * @return its result.
     */
    public <T> T read(final Function<Attachment, T> step, final String late)
    {
        while (true)
        {
            final Attachment current = attached(WriteFate.NONE);
            try
            {
                return step.apply(current);
            }
            catch (final AttachmentLostException e)
            {
                detach(e, WriteFate.NONE);
            }
            catch (final DeadlinePassedException e)
            {
                throw deadlinePassed(late, WriteFate.NONE);
            }
        }
    }

    /**
     * @param lost how the attachment was lost.
     * @return the message of an operation whose time is up as well.
     */
    public static String late(final AttachmentLostException lost)
    {
        return "server was lost (" + lost.getMessage() + ") and time is up";
    }

    private Attachment dropped(final String reason)
    {
        final Attachment current = attachment;
        final String lastWords = current == null ? null : current.connection().lastWords();
        lostReason = lastWords == null ? reason : lastWords;
        attachment = null;
        return current;
    }

    /**
     * The operation, or a part of it, succeeded. If the attachment is lost after this, the session reconnects at once.
     */
    public void succeeded()
    {
        pace.succeeded();
    }

    /**
     * No READ may be under way once an operation is over: it would write to what the next one uses.
     *
     * @param patienceNs for how long to wait for those under way, before the attachment ends with them.
     */
    public void endReads(final long patienceNs)
    {
        final Attachment current = attachment;
        if (current == null)
        {
            return;
        }
        current.reader().forget();
        if (current.loop().isReading())
        {
            try
            {
                current.loop().drain(patienceNs);
            }
            catch (final AttachmentLostException e)
            {
                // The check below notices that READs did not end.
            }
            if (current.loop().isReading())
            {
                detach("operation ended with READs under way");
            }
        }
    }

    /** The operation is over: the life line may confirm from here on, so no READ may be under way. */
    void rest()
    {
        final Attachment current = attachment;
        if (current != null)
        {
            if (current.loop().isReading())
            {
                detach("operation ended with READs under way");
            }
            else
            {
                current.confirmation().rest();
            }
        }
    }

    /**
     * The operation pauses, and READs only after another look at what is retired. The life line may confirm meanwhile,
     * unless READs are under way.
     */
    public void pauseReads()
    {
        final Attachment current = attachment;
        if (current != null && !current.loop().isReading())
        {
            current.confirmation().rest();
        }
    }

    /** The operation is over: abandons its awaited request, and returns its answer's memory. */
    void endRequests()
    {
        try
        {
            requests.endOperation();
        }
        catch (final AttachmentLostException e)
        {
            detach(e.getMessage());
        }
    }

    /**
     * The deadline passed. A request that was sent is abandoned: its slot and a receive stay its own until the answer
     * comes, and lookups go on however long the server takes; only the next request to the same shard waits for that
     * answer. READs that are under way end with their attachment.
     *
     * @param message in a line.
     * @param fate    of the operation's write.
     * @return the exception to throw.
     */
    public StoreException deadlinePassed(final String message, final WriteFate fate)
    {
        requests.abandonAwaited();
        final Attachment current = attachment;
        if (current != null && current.loop().isReading())
        {
            detach("deadline passed");
        }
        return tooLate(message, fate);
    }

    /**
     * The deadline passed, and all that is under way belongs to others.
     *
     * @param message in a line.
     * @param fate    of the operation's write.
     * @return the exception to throw.
     */
    public StoreException tooLate(final String message, final WriteFate fate)
    {
        return operation.isClosing() ?
            operation.closed(fate) : new StoreDeadlineException(message, operation.failure(fate));
    }

    /**
     * Fails the operation if its deadline passed.
     *
     * @param message in a line.
     * @param fate    of the operation's write.
     */
    public void checkDeadline(final String message, final WriteFate fate)
    {
        if (operation.deadline().remainingNs() <= 0)
        {
            throw deadlinePassed(message, fate);
        }
    }

    /** Ends the session with the server. */
    void close()
    {
        final Attachment current = dropped("session was closed");
        if (current != null)
        {
            current.close();
        }
        requests.close();
    }

    private Attachment reconnect(final WriteFate fate)
    {
        pace.begin(System.nanoTime());
        while (true)
        {
            awaitNextAttempt(fate);
            if (operation.isClosing())
            {
                throw operation.closed(fate);
            }
            try
            {
                return reattached(fate);
            }
            catch (final AttachFailedException e)
            {
                if (e.isFinal())
                {
                    throw e.toStoreException(operation.failure(fate));
                }
                if (e.kind() == AttachFailedException.Kind.INTERRUPTED)
                {
                    throw notBack(fate, e);
                }
                // If time ran out in this attempt, an earlier refusal is still the reason, and names the limit.
                final boolean isOfRefusal = failure != null && failure.kind() == AttachFailedException.Kind.BUSY &&
                    e.kind() == AttachFailedException.Kind.TRANSIENT && operation.deadline().remainingNs() <= 0;
                failure = isOfRefusal ? failure : e;
                pace.failed(System.nanoTime());
            }
        }
    }

    private Attachment reattached(final WriteFate fate) throws AttachFailedException
    {
        final Attachment made = source.attach(requests.hasPendingWrites() ? resume : SessionIdentity.NONE);
        attachment = made;
        pace.attached(System.nanoTime());
        failure = null;
        server = made.server();
        made.requests().takeOver();
        counters.increment(Counters.RECONNECTS);
        if (operation.isClosing())
        {
            // The close may have come too early to wake this thread.
            throw operation.closed(fate);
        }
        return made;
    }

    private void awaitNextAttempt(final WriteFate fate)
    {
        final long nowNs = System.nanoTime();
        final long napNs = Math.min(pace.pauseNs(nowNs), operation.deadline().remainingNs());
        Pause.until(nowNs + napNs, MAX_NAP_NS, operation::isClosing);
        if (failure != null && operation.deadline().remainingNs() <= 0 && !operation.isClosing())
        {
            throw notBack(fate, failure);
        }
    }

    private StoreDisconnectedException notBack(final WriteFate fate, final AttachFailedException cause)
    {
        return new StoreDisconnectedException(
            "server was lost (" + lossReason.apply(lostReason) + ") and did not come back in time: " +
                cause.getMessage(),
            operation.failure(fate),
            cause);
    }
}
