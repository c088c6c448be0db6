package org.onesided.client;

import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;
import org.agrona.collections.IntArrayList;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that carries a client's asynchronous operations out: it takes what callers queue, keeps as much of it in
 * flight as its session allows, and sleeps when there is nothing. Lookups pass writes that have to wait, so that a
 * stopped server keeps none of them. {@link #submit} and {@link #close} are safe to call from any thread.
 */
final class AsyncWorker implements AsyncListener, AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(AsyncWorker.class);
    private static final int QUEUE_LENGTH = 1024;
    /** Writes that wait for room here and not in the queue. */
    private static final int MAX_WAITING = 1024;
    /** Operations begun between two polls. */
    private static final int MAX_TURN = 256;
    /** It spins no longer than this before it sleeps, for nothing is under way. */
    private static final long MAX_SPIN_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final ClientContext context;
    private final long spinNs;
    private final ManyToOneConcurrentArrayQueue<AsyncOperation> queue =
        new ManyToOneConcurrentArrayQueue<>(QUEUE_LENGTH);
    /** Begun by this thread itself, by what depends on its futures. */
    private final Deque<AsyncOperation> own = new ArrayDeque<>();
    private final Deque<AsyncOperation> waiting = new ArrayDeque<>();
    /** What is in flight, by correlation. */
    private final List<AsyncOperation> begun = new ArrayList<>();
    private final IntArrayList free = new IntArrayList();
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer value = new UnsafeBuffer(0, 0);
    private final Thread thread;
    private volatile StoreSession session;
    private AsyncSession async;
    private volatile boolean isAsleep;
    private volatile boolean isClosed;
    /** Taken from a queue, and in no other yet. */
    private AsyncOperation beginning;
    private long idleSinceNs;
    private int idleTurns;

    /** Starts the thread. */
    AsyncWorker(final ClientContext context)
    {
        this.context = context;
        spinNs = Math.min(context.configuration().waiting().spinNs(), MAX_SPIN_NS);
        thread = new Thread(this::run, "onesided-async " + context.address());
        thread.setDaemon(true);
        thread.start();
    }

    /** Queues an operation; waits while there is no room, until its deadline. */
    void submit(final AsyncOperation operation)
    {
        if (isClosed)
        {
            operation.fail(closed(operation));
        }
        else if (Thread.currentThread() == thread)
        {
            own.add(operation);
        }
        else
        {
            int attempts = 0;
            while (!queue.offer(operation))
            {
                if (isClosed || operation.isLate())
                {
                    operation.fail(isClosed ? closed(operation) : late(operation));
                    return;
                }
                wakeUp();
                Pause.after(attempts++);
            }
            VarHandle.fullFence();
            wakeUp();
            if (isClosed)
            {
                // The thread may have looked for the last time. If it has not, the first to tell the end does.
                operation.fail(closed(operation));
            }
        }
    }

    /** Stops the thread and waits for its end; what has not ended fails. */
    @Override
    public void close()
    {
        isClosed = true;
        VarHandle.fullFence();
        wakeUp();
        boolean isInterrupted = false;
        while (thread.isAlive() && Thread.currentThread() != thread)
        {
            try
            {
                thread.join();
            }
            catch (final InterruptedException e)
            {
                isInterrupted = true;
            }
        }
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void onValue(final long correlation, final DirectBuffer found)
    {
        byte[] copy = null;
        if (found != null)
        {
            copy = new byte[found.capacity()];
            found.getBytes(0, copy);
        }
        ended(correlation).succeed(copy);
    }

    @Override
    public void onPut(final long correlation)
    {
        ended(correlation).succeed(null);
    }

    @Override
    public void onDelete(final long correlation, final boolean wasPresent)
    {
        ended(correlation).succeed(wasPresent);
    }

    @Override
    public void onFailure(final long correlation, final StoreException failure)
    {
        ended(correlation).fail(failure);
    }

    private void run()
    {
        while (!isClosed)
        {
            try
            {
                turn();
            }
            catch (final RuntimeException | Error e)
            {
                LOGGER.error("asynchronous operations failed, others go on", e);
                if (beginning != null)
                {
                    beginning.fail(new StoreDisconnectedException("session failed: " + e,
                        new FailureContext(beginning.name(), null, context.address().toString(), WriteFate.UNKNOWN)));
                    beginning = null;
                }
                endSession();
            }
        }
        endSession();
        failAll(waiting);
        failAll(own);
        for (AsyncOperation operation = queue.poll(); operation != null; operation = queue.poll())
        {
            operation.fail(closed(operation));
        }
    }

    private void turn()
    {
        int count = begin();
        if (inFlight() > 0 || async != null && !waiting.isEmpty())
        {
            count += async.poll();
        }
        if (count > 0)
        {
            idleTurns = 0;
        }
        else
        {
            rest();
        }
    }

    /** Begins as much as there is room for; how many operations were taken on. */
    private int begin()
    {
        int count = 0;
        while (!waiting.isEmpty() && isBegun(waiting.peek()))
        {
            waiting.remove();
            count++;
        }
        while (count < MAX_TURN && waiting.size() < MAX_WAITING)
        {
            final AsyncOperation operation = own.isEmpty() ? queue.poll() : own.remove();
            if (operation == null)
            {
                break;
            }
            count++;
            beginning = operation;
            if (operation.isLookup())
            {
                while (!isBegun(operation))
                {
                    async.poll();
                }
            }
            else if (!waiting.isEmpty() || !isBegun(operation))
            {
                waiting.add(operation);
            }
            beginning = null;
        }
        return count;
    }

    /** Whether an operation is in flight now, or has ended. */
    private boolean isBegun(final AsyncOperation operation)
    {
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
            if (!isTaken(operation, correlation))
            {
                return false;
            }
            free.removeAt(free.size() - 1);
            begun.set(correlation, operation);
        }
        catch (final StoreException e)
        {
            operation.fail(e);
        }
        return true;
    }

    private boolean isTaken(final AsyncOperation operation, final int correlation)
    {
        final long deadlineNs = operation.deadlineNs();
        final int keyLength = operation.key().length;
        key.wrap(operation.key());
        if (operation.isLookup())
        {
            return async.get(key, 0, keyLength, correlation, deadlineNs);
        }
        if (operation.value() == null)
        {
            return async.delete(key, 0, keyLength, correlation, deadlineNs);
        }
        value.wrap(operation.value());
        return async.put(key, 0, keyLength, value, 0, operation.value().length, correlation, deadlineNs);
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

    private void openSession(final AsyncOperation operation)
    {
        final StoreSession opened = new StoreSession(
            context, operation.name(), operation.deadlineNs() - System.nanoTime(), false);
        session = opened;
        async = opened.async(this, () -> isClosed || waiting.size() < MAX_WAITING && !queue.isEmpty());
    }

    private void endSession()
    {
        final StoreSession ending = session;
        if (ending != null)
        {
            session = null;
            async = null;
            try
            {
                ending.end();
            }
            catch (final RuntimeException e)
            {
                LOGGER.warn("session could not be closed", e);
            }
        }
    }

    private void rest()
    {
        final long nowNs = System.nanoTime();
        idleSinceNs = idleTurns == 0 ? nowNs : idleSinceNs;
        idleTurns++;
        isAsleep = true;
        VarHandle.fullFence();
        if (async != null && !waiting.isEmpty())
        {
            async.awaitRoom();
        }
        else if (inFlight() > 0)
        {
            async.await();
        }
        else if (nowNs - idleSinceNs < spinNs)
        {
            Thread.onSpinWait();
        }
        else if (queue.isEmpty() && own.isEmpty() && !isClosed)
        {
            LockSupport.park(this);
        }
        isAsleep = false;
    }

    private void wakeUp()
    {
        if (isAsleep)
        {
            LockSupport.unpark(thread);
            final StoreSession current = session;
            if (current != null)
            {
                current.wakeUp();
            }
        }
    }

    private void failAll(final Deque<AsyncOperation> operations)
    {
        // What depends on one may add another.
        while (!operations.isEmpty())
        {
            final AsyncOperation operation = operations.remove();
            operation.fail(closed(operation));
        }
    }

    private StoreClosedException closed(final AsyncOperation operation)
    {
        return new StoreClosedException(
            "client was closed, build another", FailureContext.unsent(operation.name(), context.address().toString()));
    }

    private StoreDeadlineException late(final AsyncOperation operation)
    {
        return new StoreDeadlineException("deadline passed before it could begin",
            FailureContext.unsent(operation.name(), context.address().toString()));
    }
}
