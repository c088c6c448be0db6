package org.onesided.client;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.verbs.VerbsException;

/**
 * What a session's operations stand on: the attachment, made anew when it is lost; the deadline; the key; room for
 * long values; and the words for failures. For one thread at a time, but for {@link #wakeUp}, {@link #counters},
 * {@link #attachment}, {@link #isAttached} and {@link #server}.
 */
final class SessionLink implements AutoCloseable
{
    /** A thread that waits to reconnect looks so often whether the client was closed. */
    private static final long MAX_NAP_NS = 50_000_000L;
    private static final int NO_KEY = -1;

    private final ClientContext context;
    private final Deadline deadline = new Deadline();
    private final Counters counters = new Counters();
    private final RequestEngine engine = new RequestEngine(this);
    private final Attacher attacher;
    private final ReconnectPace pace = new ReconnectPace(bound -> ThreadLocalRandom.current().nextLong(bound));
    private final UnsafeBuffer key = new UnsafeBuffer(
        BufferUtil.allocateDirectAligned(RecordDescriptor.MAX_KEY_LENGTH, Long.BYTES));

    private volatile Attachment attachment;
    private RequestSlots slots;
    /** The session that the next attachment is to resume, if writes of it are pending. */
    private SessionIdentity resume = SessionIdentity.NONE;
    private volatile ServerInfo server;
    private volatile boolean isClosed;
    private String operation;
    private int keyLength = NO_KEY;
    private long spentNs;
    private boolean isBusy;
    private int asyncInFlight;
    private RegisteredBuffer large;
    private String lostReason = "";
    /** Why the latest attempt to reconnect failed; null if none did since the last success. */
    private AttachFailedException reconnectFailure;

    /**
     * Connects, or fails where that fails.
     *
     * @param operation  that it is for.
     * @param deadlineNs nanoseconds that it may take.
     * @param isSpare    whether other sessions do as well. If so, a server without room is asked once.
     */
    SessionLink(
        final ClientContext context, final String operation, final long deadlineNs, final boolean isSpare)
    {
        this.context = context;
        this.operation = operation;
        attacher = new Attacher(context, deadline, counters, this::longRecord, engine);
        if (!context.device().isRetained())
        {
            throw new StoreClosedException(
                "client was closed, build another", FailureContext.unsent(operation, context.address().toString()));
        }
        try
        {
            deadline.begin(deadlineNs);
            attachment = isSpare && context.server() != null ? attacher.attach(SessionIdentity.NONE, null) :
                FirstAttempts.run(
                    deadline.atNs(), context::isClosed, () -> attacher.attach(SessionIdentity.NONE, null));
            slots = attachment.slots();
            server = attachment.server();
            context.opened(this);
        }
        catch (final AttachFailedException e)
        {
            context.device().release();
            final String address = context.address().toString();
            throw e.toStoreException(operation.equals(Operation.CONNECT) ?
                FailureContext.ofServer(address) : FailureContext.unsent(operation, address));
        }
        catch (final RuntimeException e)
        {
            context.device().release();
            throw e;
        }
    }

    Counters counters()
    {
        return counters;
    }

    ServerInfo server()
    {
        return server;
    }

    Deadline deadline()
    {
        return deadline;
    }

    /** Puts the key of the operation that begins, from an array or a raw address; its range was checked. */
    void key(final Object base, final long offset, final int length)
    {
        SmallCopy.copy(base, offset, key.addressOffset(), length);
    }

    /** Where the key of the next operation is put: room for the longest. */
    UnsafeBuffer keySpace()
    {
        return key;
    }

    int keyLength()
    {
        return keyLength;
    }

    LargeBuffers largeBuffers()
    {
        return context.device().largeBuffers();
    }

    /** Whether the next operation needs no reconnecting, as far as is known. */
    boolean isAttached()
    {
        final Attachment current = attachment;
        return current != null && !current.isLost();
    }

    /** The requests of the session as of the latest attachment. */
    RequestSlots slots()
    {
        return slots;
    }

    /** What carries the session's writes out. */
    RequestEngine engine()
    {
        return engine;
    }

    /** What it is attached to now, or null. */
    Attachment attachment()
    {
        return attachment;
    }

    /** Makes the session's thread look whether the client was closed. */
    void wakeUp()
    {
        final Attachment current = attachment;
        if (current != null)
        {
            current.lose("client was closed");
        }
    }

    /** Begins an operation on the key in {@link #keySpace}. */
    void begin(final String name, final int length)
    {
        if (asyncInFlight > 0)
        {
            throw new IllegalStateException("operations of the session's asynchronous view are in flight, " +
                "drain it first: inFlight=" + asyncInFlight + " begun=" + name);
        }
        checkIdle(name);
        checkOpen(name);
        operation = name;
        keyLength = length;
        isBusy = true;
        deadline.begin(context.configuration().deadlineNs() - spentNs);
        spentNs = 0;
    }

    /**
     * Begins a call of the asynchronous view, whose operations have deadlines of their own; after the close, too, to
     * tell these of it.
     */
    void beginAsync(final String name)
    {
        checkIdle(name);
        nextOperation(name, NO_KEY);
        isBusy = true;
    }

    /** Refuses a second operation at a time. */
    void checkIdle(final String name)
    {
        if (isBusy)
        {
            throw new IllegalStateException(
                "session is in the midst of an operation, use another: running=" + operation + " begun=" + name);
        }
    }

    /** Refuses a key of a length that none has. */
    int checkedKeyLength(final String name, final int length)
    {
        return KeyLength.checked(name, length, server.address());
    }

    /** As {@link #checkedKeyLength}, for a key of a batch. */
    void checkKeyLength(final String name, final int length, final int index)
    {
        KeyLength.check(name, length, index, server.address());
    }

    /** Refuses an operation after the close. */
    void checkOpen(final String name)
    {
        if (isClosing())
        {
            throw new StoreClosedException(
                "client or session was closed, open another",
                FailureContext.unsent(name, context.address().toString()));
        }
    }

    /** Operations of the asynchronous view whose ends were not told: until then there are no others. */
    void asyncInFlight(final int count)
    {
        asyncInFlight = count;
    }

    /** When an operation that begins now must end. */
    long newDeadlineNs()
    {
        return System.nanoTime() + context.configuration().deadlineNs();
    }

    /** The next operation's caller has waited so long already; 0 for not at all. */
    void spend(final long durationNs)
    {
        spentNs = durationNs;
    }

    /** Begins an operation that has no key. */
    void begin(final String name)
    {
        begin(name, NO_KEY);
    }

    /** The running operation goes on with another key in {@link #keySpace}. */
    void nextKey(final int length)
    {
        keyLength = length;
    }

    /** The running call goes on with another operation, on a key in {@link #keySpace}. */
    void nextOperation(final String name, final int length)
    {
        operation = name;
        keyLength = length;
    }

    /** Starts the time of the running operation's next step. */
    void beginStep()
    {
        deadline.begin(context.configuration().deadlineNs());
    }

    /**
     * The attachment, a new one if the one before was lost. Where writes are pending, it resumes the session and sends
     * them again; if it cannot, {@link #slots} are others from then on.
     *
     * @param fate to report if none can be had in time.
     */
    Attachment attached(final WriteFate fate)
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
     */
    void detach(final String reason)
    {
        final Attachment current = dropped(reason);
        if (current != null)
        {
            slots.detached();
            if (slots.hasPendingWrites())
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

    private Attachment dropped(final String reason)
    {
        final Attachment current = attachment;
        final String lastWords = current == null ? null : current.lastWords();
        lostReason = lastWords == null ? reason : lastWords;
        attachment = null;
        return current;
    }

    /** Room for a long value until {@link #endOperation}. */
    RegisteredBuffer longRecord(final long length)
    {
        if (large != null && large.length() < length)
        {
            final RegisteredBuffer tooSmall = large;
            large = null;
            // Its own READs were awaited; those of a batch, which may be under way, go elsewhere.
            largeBuffers().giveBack(tooSmall);
        }
        if (large == null)
        {
            large = takeLarge(length);
        }
        return large;
    }

    /** A buffer for a long value; the caller gives it back or discards it. */
    RegisteredBuffer takeLarge(final long length)
    {
        try
        {
            return largeBuffers().take(length, deadline);
        }
        catch (final VerbsException e)
        {
            throw new StoreLimitException(
                "no memory for a value of this length, give the device more or store shorter values: " +
                    e.getMessage(),
                failure(Operation.unsentFate(operation)),
                e);
        }
    }

    /**
     * Gives a buffer of {@link #takeLarge} back. An operation that fails with READs under way ends its attachment: they
     * would write to what is another's from here on.
     */
    void giveBack(final RegisteredBuffer buffer)
    {
        endReads(0);
        largeBuffers().giveBack(buffer);
    }

    /** No READ may be under way once an operation is over: it would write to what the next one uses. */
    void endReads(final long patienceNs)
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
                // Seen below: its READs did not end.
            }
            if (current.loop().isReading())
            {
                detach("operation ended with READs under way");
            }
        }
    }

    /** The operation, or a part of it, succeeded: if the attachment is lost after this, the next is made at once. */
    void succeeded()
    {
        pace.succeeded();
    }

    /** Gives back what the operation held. */
    void endOperation()
    {
        isBusy = false;
        slots.abandonAwaited();
        final Attachment current = attachment;
        if (current != null)
        {
            try
            {
                current.rpc().releaseAnswer();
            }
            catch (final AttachmentLostException e)
            {
                detach(e.getMessage());
            }
        }
        giveBackLong();
    }

    /** Gives the room for a long value back before the operation ends. */
    void giveBackLong()
    {
        if (large != null)
        {
            final RegisteredBuffer used = large;
            large = null;
            giveBack(used);
        }
    }

    /**
     * The deadline passed. A request that was sent is abandoned: its slot and a receive stay its own until the answer
     * comes, and lookups go on however long the server takes; only the next request to the same shard waits for that
     * answer. READs that are under way end with their attachment.
     */
    StoreException deadlinePassed(final String message, final WriteFate fate)
    {
        slots.abandonAwaited();
        final Attachment current = attachment;
        if (current != null && current.loop().isReading())
        {
            detach("deadline passed");
        }
        return isClosing() ? closed(fate) : new StoreDeadlineException(message, failure(fate));
    }

    /** Whether nothing is to be begun any more. */
    boolean isClosing()
    {
        return isClosed || context.isClosed();
    }

    /** Fails the operation if its deadline passed. */
    void checkDeadline(final String message, final WriteFate fate)
    {
        if (deadline.remainingNs() <= 0)
        {
            throw deadlinePassed(message, fate);
        }
    }

    FailureContext failure(final WriteFate fate)
    {
        final String text = keyLength < 0 ? null : KeyText.of(key.addressOffset(), keyLength);
        return new FailureContext(operation, text, context.address().toString(), fate);
    }

    @Override
    public void close()
    {
        if (isBusy)
        {
            throw new IllegalStateException(
                "session is in the midst of an operation, close it afterwards: running=" + operation);
        }
        if (!isClosed)
        {
            isClosed = true;
            final Attachment current = dropped("session was closed");
            if (current != null)
            {
                current.close();
            }
            slots.close();
            context.ended(this);
            context.device().release();
        }
    }

    private StoreException closed(final WriteFate fate)
    {
        return new StoreClosedException("client was closed meanwhile", failure(fate));
    }

    private Attachment reconnect(final WriteFate fate)
    {
        pace.begin(System.nanoTime());
        while (true)
        {
            awaitNextAttempt(fate);
            if (context.isClosed())
            {
                throw closed(fate);
            }
            try
            {
                return reattached(fate);
            }
            catch (final AttachFailedException e)
            {
                if (e.isFinal())
                {
                    throw e.toStoreException(failure(fate));
                }
                if (e.kind() == AttachFailedException.Kind.INTERRUPTED)
                {
                    throw notBack(fate, e);
                }
                reconnectFailure = e;
                pace.failed(System.nanoTime());
            }
        }
    }

    private Attachment reattached(final WriteFate fate) throws AttachFailedException
    {
        final Attachment made = attacher.attach(slots.hasPendingWrites() ? resume : SessionIdentity.NONE, slots);
        attachment = made;
        pace.attached(System.nanoTime());
        reconnectFailure = null;
        server = made.server();
        takeOver(made);
        counters.increment(Counters.RECONNECTS);
        if (context.isClosed())
        {
            // The close may have come too early to wake this one.
            throw closed(fate);
        }
        return made;
    }

    private void awaitNextAttempt(final WriteFate fate)
    {
        nap(Math.min(pace.pauseNs(System.nanoTime()), deadline.remainingNs()));
        if (reconnectFailure != null && deadline.remainingNs() <= 0 && !context.isClosed())
        {
            throw notBack(fate, reconnectFailure);
        }
    }

    private StoreDisconnectedException notBack(final WriteFate fate, final AttachFailedException cause)
    {
        return new StoreDisconnectedException(
            "server was lost (" + context.lossReason(lostReason) + ") and did not come back in time: " +
                cause.getMessage(),
            failure(fate),
            cause);
    }

    private void takeOver(final Attachment made)
    {
        if (made.isResumed())
        {
            slots.resumed();
            try
            {
                made.rpc().post();
            }
            catch (final AttachmentLostException e)
            {
                // Its first user finds it lost, and what was not posted is posted over the next.
            }
            return;
        }
        final RequestSlots former = slots;
        slots = made.slots();
        former.lose(engine);
        former.close();
    }

    private void nap(final long durationNs)
    {
        final long endNs = System.nanoTime() + durationNs;
        boolean isInterrupted = false;
        long remainingNs = durationNs;
        while (remainingNs > 0 && !context.isClosed())
        {
            LockSupport.parkNanos(Math.min(remainingNs, MAX_NAP_NS));
            // An interrupted thread would not sleep any more.
            isInterrupted |= Thread.interrupted();
            remainingNs = endNs - System.nanoTime();
        }
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }
}
