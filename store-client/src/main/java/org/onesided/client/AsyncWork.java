package org.onesided.client;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.onesided.client.callback.AsyncOperation;
import org.onesided.client.exceptions.StoreClosedException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.session.ClientContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's asynchronous operations, from the queue to their ends, and the session that carries them out. For the
 * thread that holds the turn of {@link AsyncWorker}; any thread may call {@link #offer}, {@link #offerOwn},
 * {@link #watchQueued}, {@link #isQueueEmpty}, {@link #wakeUp}, {@link #isAttached}, {@link #ended()}, {@link #closed}
 * and {@link #late}.
 */
final class AsyncWork
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
    private final EndedOperations ends;
    private final BegunOperations begun;
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
        ends = new EndedOperations(context, isClosed);
        begun = new BegunOperations(ends);
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
        return ends.untold();
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
            ends.end(operation, null, ends.failed(operation, reason));
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
            begun.failAll();
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
        waiting.forEach((operation) -> ends.end(operation, null, ends.closed(operation)));
        waiting.clear();
    }

    /** Ends all operations whose time is up, though nobody carries them out. */
    void expire()
    {
        takeQueued();
        expire(lookups);
        expire(waiting);
        begun.expire();
    }

    StoreClosedException closed(final AsyncOperation operation)
    {
        return ends.closed(operation);
    }

    StoreDeadlineException late(final AsyncOperation operation)
    {
        return ends.late(operation);
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
                ends.end(operation, null, ends.late(operation));
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
        begun.forEach(watch);
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
                throw ends.late(operation);
            }
            if (async == null)
            {
                openSession(operation);
            }
            final int correlation = begun.next();
            if (!start.tryBegin(async.intake(), operation, correlation))
            {
                return false;
            }
            begun.add(correlation, operation);
        }
        catch (final StoreException e)
        {
            ends.end(operation, null, e);
        }
        return true;
    }

    private void openSession(final AsyncOperation operation)
    {
        final StoreSession opened = new StoreSession(
            context, operation.name(), operation.deadlineNs() - System.nanoTime(), false, isSpare);
        session = opened;
        async = opened.async(begun, () -> isClosed.getAsBoolean() || isWanted.getAsBoolean() ||
            waiting.size() < MAX_WAITING && !isQueueEmpty());
    }
}
