package org.onesided.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.collections.IntArrayList;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.jspecify.annotations.Nullable;
import org.onesided.client.callback.AsyncOperation;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.session.ClientContext;
import org.onesided.client.session.KeyText;
import org.onesided.client.types.MutableVersion;
import org.onesided.client.types.TimeToLive;
import org.onesided.client.types.VersionedValue;
import org.onesided.client.types.WriteOutcome;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's asynchronous operations, from the queue to their ends, and the session that carries them out. For the
 * thread that holds the turn of {@link AsyncWorker}; any thread may call {@link #offer}, {@link #offerOwn},
 * {@link #watchQueued}, {@link #isQueueEmpty}, {@link #wakeUp}, {@link #isAttached}, {@link #ended()}, {@link #closed}
 * and {@link #late}.
 */
final class AsyncWork implements AsyncListener
{
    private static final Logger LOGGER = LoggerFactory.getLogger(AsyncWork.class);
    private static final int QUEUE_LENGTH = 1024;
    /** Maximum number of writes that wait for room here instead of in the queue. */
    private static final int MAX_WAITING = 1024;
    /** Maximum number of operations to begin between two polls. */
    private static final int MAX_TURN = 256;

    private final ClientContext context;
    private final boolean isSpare;
    private final Consumer<AsyncOperation> watch;
    private final BooleanSupplier isWanted;
    private final BooleanSupplier isClosed;
    private final ManyToOneConcurrentArrayQueue<AsyncOperation> queue =
        new ManyToOneConcurrentArrayQueue<>(QUEUE_LENGTH);
    /** Operations from callbacks on the thread in office, which must not wait for room. */
    private final Queue<AsyncOperation> own = new ConcurrentLinkedQueue<>();
    private final Deque<AsyncOperation> waiting = new ArrayDeque<>();
    /** Lookups that were taken from the queue early. They overtake the waiting writes. */
    private final Queue<AsyncOperation> lookups = new ArrayDeque<>();
    /** Operations in flight, by correlation. */
    private final List<AsyncOperation> begun = new ArrayList<>();
    private final IntArrayList free = new IntArrayList();
    /** Ended operations whose ends must be told. */
    private final Queue<AsyncOperation> ended = new ConcurrentLinkedQueue<>();
    private final AsyncStart start = new AsyncStart();
    private volatile StoreSession session;
    private AsyncSession async;
    /** Whether all that is here is to be watched before the next operation begins. */
    private volatile boolean isToWatch;
    /** Operations to be watched when they are taken from the queue. */
    private int toWatch;
    /** The operation that was taken from one queue and is not in another yet. */
    private AsyncOperation beginning;

    /**
     * @param isSpare  whether a server that has no room for the session is asked once, since others do as well.
     * @param watch    ends operations in time, should this thread be kept by others.
     * @param isWanted whether another client waits for the thread, so that this does not.
     * @param isClosed whether the client is: nothing waits from then on.
     */
    AsyncWork(
        final ClientContext context,
        final boolean isSpare,
        final Consumer<AsyncOperation> watch,
        final BooleanSupplier isWanted,
        final BooleanSupplier isClosed)
    {
        this.context = context;
        this.isSpare = isSpare;
        this.watch = watch;
        this.isWanted = isWanted;
        this.isClosed = isClosed;
    }

    /** Queues an operation; whether there was room. */
    boolean offer(final AsyncOperation operation)
    {
        return queue.offer(operation);
    }

    /** Queues an operation that must not wait for room. */
    void offerOwn(final AsyncOperation operation)
    {
        own.add(operation);
    }

    /** From here on operations with more time are queued than those before: these are to be watched. */
    void watchQueued()
    {
        isToWatch = true;
    }

    /** Whether the queues are empty, apart from waiting writes. */
    boolean isQueueEmpty()
    {
        return queue.isEmpty() && own.isEmpty();
    }

    /** Ended operations. The thread that removes one tells its end. */
    Queue<AsyncOperation> ended()
    {
        return ended;
    }

    /** Whether there is a session, and it is connected. */
    boolean isAttached()
    {
        final StoreSession current = session;
        return current != null && current.isAttached();
    }

    /** Wakes the session's thread to look for work. */
    void wakeUp()
    {
        final StoreSession current = session;
        if (current != null)
        {
            current.wakeUp();
        }
    }

    @Override
    public void onValue(final long correlation, final @Nullable DirectBuffer found)
    {
        onValue(correlation, found, null);
    }

    @Override
    public void onValue(final long correlation, final DirectBuffer found, final MutableVersion version)
    {
        final AsyncOperation lookup = begun.get((int)correlation);
        Object result = null;
        StoreException failure = null;
        try
        {
            if (lookup.name().equals(Operation.CONTAINS))
            {
                result = found != null;
            }
            else if (found != null)
            {
                final byte[] copy = new byte[found.capacity()];
                found.getBytes(0, copy);
                result = lookup.options() == null ? copy : new VersionedValue<>(copy, version.toVersion());
            }
        }
        catch (final OutOfMemoryError e)
        {
            failure = new StoreLimitException("value does not fit into the heap: length=" + found.capacity(),
                about(lookup, WriteFate.NONE), e);
        }
        // Removed last, so that after an error above it is ended with the operations in flight.
        end(ended(correlation), result, failure);
    }

    @Override
    public void onPut(final long correlation)
    {
        end(ended(correlation), null, null);
    }

    @Override
    public void onPut(final long correlation, final MutableVersion version)
    {
        final AsyncOperation put = ended(correlation);
        end(put, put.options() == null ? null : new WriteOutcome(true, version.toVersion()), null);
    }

    @Override
    public void onConflict(final long correlation, final MutableVersion version)
    {
        end(ended(correlation), new WriteOutcome(false, version.toVersion()), null);
    }

    @Override
    public void onDelete(final long correlation, final boolean wasPresent)
    {
        final AsyncOperation delete = ended(correlation);
        end(delete, delete.options() == null ? wasPresent : (Object)new WriteOutcome(true, null), null);
    }

    @Override
    public void onIncrement(final long correlation, final long number, final MutableVersion version)
    {
        end(ended(correlation), new VersionedValue<>(number, version.toVersion()), null);
    }

    @Override
    public void onAppend(final long correlation, final int length, final MutableVersion version)
    {
        end(ended(correlation), new VersionedValue<>(length, version.toVersion()), null);
    }

    @Override
    public void onTouch(final long correlation, final boolean wasPresent)
    {
        end(ended(correlation), wasPresent, null);
    }

    @Override
    public void onTtl(final long correlation, final @Nullable TimeToLive ttl)
    {
        end(ended(correlation), ttl, null);
    }

    @Override
    public void onFailure(final long correlation, final StoreException failure)
    {
        end(ended(correlation), null, failure);
    }

    /** Begins operations as far as there is room; returns their number. */
    int begin()
    {
        int count = 0;
        while (count < MAX_TURN && !lookups.isEmpty())
        {
            beginLookup(lookups.remove());
            count++;
        }
        while (!waiting.isEmpty() && tryBeginFirst())
        {
            count++;
        }
        while (count < MAX_TURN && waiting.size() < MAX_WAITING)
        {
            final AsyncOperation operation = next();
            if (operation == null)
            {
                break;
            }
            count++;
            if (!operation.take())
            {
                continue;
            }
            beginning = operation;
            if (operation.isLookup())
            {
                beginLookup(operation);
            }
            else if (!waiting.isEmpty() || !tryBegin(operation))
            {
                waiting.add(operation);
            }
            beginning = null;
        }
        return count;
    }

    private void beginLookup(final AsyncOperation operation)
    {
        beginning = operation;
        while (!tryBegin(operation))
        {
            async.poll();
        }
        beginning = null;
    }

    /** Begins the first waiting write, if there is room. Meanwhile it is in no queue, in case of an exception. */
    private boolean tryBeginFirst()
    {
        beginning = waiting.remove();
        final boolean isBegun = tryBegin(beginning);
        if (!isBegun)
        {
            waiting.addFirst(beginning);
        }
        beginning = null;
        return isBegun;
    }

    /** Makes progress with operations in flight; returns the number of operations that ended. */
    int poll()
    {
        return isUnderWay() ? async.poll() : 0;
    }

    /** Whether operations are in flight, or writes wait for room. */
    boolean isUnderWay()
    {
        return inFlight() > 0 || hasWaiting();
    }

    /** Waits for room or answers, if operations are in flight; whether there were any. */
    boolean awaitProgress()
    {
        if (hasWaiting())
        {
            async.awaitRoom();
            return true;
        }
        if (inFlight() > 0)
        {
            async.await();
            return true;
        }
        return false;
    }

    /** Fails the operation that is in no queue. */
    void failBeginning(final String reason)
    {
        if (beginning != null)
        {
            final AsyncOperation operation = beginning;
            beginning = null;
            end(operation, null, failed(operation, reason));
        }
    }

    /** Ends the session and all operations in flight. */
    void endSession()
    {
        final StoreSession ending = session;
        session = null;
        async = null;
        try
        {
            if (ending != null)
            {
                ending.end();
            }
        }
        catch (final RuntimeException e)
        {
            LOGGER.warn("session could not be closed", e);
        }
        finally
        {
            failBegun();
        }
    }

    /** Fails all queued and waiting operations. */
    void failQueued()
    {
        for (AsyncOperation operation = next(); operation != null; operation = next())
        {
            if (operation.take())
            {
                waiting.add(operation);
            }
        }
        waiting.addAll(lookups);
        lookups.clear();
        waiting.forEach((operation) -> end(operation, null, closed(operation)));
        waiting.clear();
    }

    /** Ends all operations whose time is up, though nobody carries them out. */
    void expire()
    {
        takeQueued();
        expire(lookups);
        expire(waiting);
        for (final AsyncOperation operation : begun)
        {
            if (operation != null && operation.isLate() && operation.expire(unanswered(operation)))
            {
                ended.add(operation);
            }
        }
    }

    StoreClosedException closed(final AsyncOperation operation)
    {
        return new StoreClosedException(
            "client was closed, build another", about(operation, Operation.unsentFate(operation.name())));
    }

    StoreDeadlineException late(final AsyncOperation operation)
    {
        return new StoreDeadlineException("deadline passed before it could begin",
            about(operation, Operation.unsentFate(operation.name())));
    }

    private FailureContext about(final AsyncOperation operation, final WriteFate fate)
    {
        return new FailureContext(
            operation.name(), KeyText.of(operation.key()), context.addressText(), fate);
    }

    private void end(final AsyncOperation operation, final Object result, final StoreException failure)
    {
        if (operation.end(result, isOfClose(failure) ? closedMeanwhile(operation, failure) : failure))
        {
            ended.add(operation);
        }
    }

    /** An attempt to connect that the close interrupts fails as one that did not succeed. */
    private boolean isOfClose(final StoreException failure)
    {
        return isClosed.getAsBoolean() &&
            (failure instanceof StoreDisconnectedException || failure instanceof StoreConnectException);
    }

    private StoreClosedException closedMeanwhile(final AsyncOperation operation, final StoreException failure)
    {
        return new StoreClosedException("client was closed meanwhile", about(operation, failure.writeFate()), failure);
    }

    private AsyncOperation ended(final long correlation)
    {
        free.addInt((int)correlation);
        return begun.set((int)correlation, null);
    }

    private int inFlight()
    {
        return async == null ? 0 : async.inFlight();
    }

    private boolean hasWaiting()
    {
        return async != null && !waiting.isEmpty();
    }

    private void expire(final Queue<AsyncOperation> unbegun)
    {
        final Iterator<AsyncOperation> each = unbegun.iterator();
        while (each.hasNext())
        {
            final AsyncOperation operation = each.next();
            if (operation.isLate())
            {
                each.remove();
                end(operation, null, late(operation));
            }
        }
    }

    private void takeQueued()
    {
        while (waiting.size() + lookups.size() < MAX_WAITING)
        {
            final AsyncOperation operation = next();
            if (operation == null)
            {
                return;
            }
            if (operation.take())
            {
                (operation.isLookup() ? lookups : waiting).add(operation);
            }
        }
    }

    private AsyncOperation next()
    {
        final AsyncOperation first = own.poll();
        final AsyncOperation operation = first == null ? queue.poll() : first;
        if (operation != null && toWatch > 0)
        {
            toWatch--;
            watch.accept(operation);
        }
        return operation;
    }

    private void watchAll()
    {
        isToWatch = false;
        toWatch = queue.size() + own.size();
        begun.stream().filter(Objects::nonNull).forEach(watch);
        lookups.forEach(watch);
        waiting.forEach(watch);
    }

    /** Begins an operation; false if there is no room for it now. */
    private boolean tryBegin(final AsyncOperation operation)
    {
        if (isToWatch)
        {
            watchAll();
            watch.accept(operation);
        }
        try
        {
            if (operation.isLate())
            {
                throw late(operation);
            }
            if (async == null)
            {
                openSession(operation);
            }
            if (free.isEmpty())
            {
                free.addInt(begun.size());
                begun.add(null);
            }
            final int correlation = free.getInt(free.size() - 1);
            if (!start.tryBegin(async, operation, correlation))
            {
                return false;
            }
            free.removeAt(free.size() - 1);
            begun.set(correlation, operation);
        }
        catch (final StoreException e)
        {
            end(operation, null, e);
        }
        return true;
    }

    private void openSession(final AsyncOperation operation)
    {
        final StoreSession opened = new StoreSession(
            context, operation.name(), operation.deadlineNs() - System.nanoTime(), false, isSpare);
        session = opened;
        async = opened.async(this, () -> isClosed.getAsBoolean() || isWanted.getAsBoolean() ||
            waiting.size() < MAX_WAITING && !isQueueEmpty());
    }

    /** Fails what the session has not told the end of, as far as there is such. */
    private void failBegun()
    {
        free.clear();
        while (!begun.isEmpty())
        {
            final AsyncOperation operation = begun.remove(begun.size() - 1);
            if (operation != null)
            {
                end(operation, null, failed(operation, "it ended without a word"));
            }
        }
    }

    private StoreDisconnectedException failed(final AsyncOperation operation, final String reason)
    {
        return new StoreDisconnectedException("session failed: " + reason, about(operation, unknown(operation)));
    }

    private StoreDeadlineException unanswered(final AsyncOperation operation)
    {
        return new StoreDeadlineException(
            "deadline passed while a callback kept the client's thread, let it depend by an Async method or give the " +
                "client an executor",
            about(operation, unknown(operation)));
    }

    private static WriteFate unknown(final AsyncOperation operation)
    {
        return operation.isLookup() ? WriteFate.NONE : WriteFate.UNKNOWN;
    }
}
