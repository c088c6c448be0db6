package org.onesided.client;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.onesided.client.callback.AsyncOperation;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.pool.SessionPool;
import org.onesided.client.session.ClientContext;
import org.onesided.client.session.KeyLength;
import org.onesided.client.session.KeyText;
import org.onesided.protocol.table.RecordDescriptor;

/**
 * Operations of threads that would have to wait for a session of the pool. One thread carries them out for all, over a
 * session of its own, so that their requests go out together: over tcp the requests of 16 threads share one system
 * call, where threads that take turns make 16 and switch as often. Threads join here while they, and those that hold
 * sessions, are more than the pool serves at once. Thread-safe.
 *
 * <p>One operation that takes long delays the others. So after a long value, or an operation that took long for another
 * reason, threads take turns with the pool's sessions for a while. The client can do without this session: it ends when
 * it is idle, and a server that has no room for it is asked again only after a pause.
 */
final class JointOperations
{
    private static final int MAX_VALUE_LENGTH = 4096;
    /** Maximum bytes of a request besides key and value. */
    private static final int HEADER_LENGTH = 256;
    private static final int MAX_FOUND_LENGTH = 16 * 1024;
    private static final long LONG_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long FIRST_PAUSE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long LAST_PAUSE_NS = TimeUnit.SECONDS.toNanos(64);
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(10);
    /** How long a thread waits beyond the deadline, by which a begun operation should end. */
    private static final long SLACK_NS = TimeUnit.SECONDS.toNanos(1);
    private static final byte[] ANY_KEY = {0};

    /** A thread that waits for the end of its operation. */
    private final class Waiter implements AsyncOperation.Completion
    {
        private final Thread thread = Thread.currentThread();
        private Object result;
        private StoreException failure;
        private volatile boolean isDone;

        @Override
        public void complete(final Object value, final StoreException reason)
        {
            result = value;
            failure = reason;
            progressNs = System.nanoTime();
            isDone = true;
            LockSupport.unpark(thread);
        }
    }

    /** Adds the calling thread to a failure, whose stack trace is of the thread that carried the operation out. */
    private static final class Asked extends Exception
    {
        private static final long serialVersionUID = 1L;

        Asked()
        {
            super("asked for by thread " + Thread.currentThread().getName());
        }
    }

    private final ClientContext context;
    private final SessionPool<?> pool;
    private final AsyncWorker worker;
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicBoolean isOpening = new AtomicBoolean();
    private volatile long triedNs = System.nanoTime() - RETRY_NS;
    /** When the latest operation ended, or the first running one began. */
    private volatile long progressNs;
    /** Threads use single sessions in turn until this time. */
    private volatile long resumeNs = System.nanoTime();
    private long longValueNs = resumeNs - LAST_PAUSE_NS;
    private long pauseNs = FIRST_PAUSE_NS;

    JointOperations(final ClientContext context, final SessionPool<?> pool)
    {
        this.context = context;
        this.pool = pool;
        worker = new AsyncWorker(context, AsyncThreads.ofOne("onesided-joint " + context.address()), null, true);
    }

    /** The worker that carries the operations out; it ends with the client. */
    AsyncWorker worker()
    {
        return worker;
    }

    /** Whether a put of that length may join: it must fit into one message with the longest key. */
    boolean takes(final long valueLength)
    {
        return valueLength >= 0 && valueLength <= Math.min(MAX_VALUE_LENGTH,
            context.server().messageLength() - RecordDescriptor.MAX_KEY_LENGTH - HEADER_LENGTH);
    }

    /** Whether an operation joins. If it should, but the session is missing, this begins to open it. */
    boolean tryAdmit()
    {
        final int others = running.get();
        if (!pool.isCrowded(others))
        {
            return false;
        }
        if (worker.isAttached())
        {
            final long nowNs = System.nanoTime();
            final boolean isStuck = others > 0 && nowNs - progressNs >= LONG_NS;
            return !isStuck && nowNs - resumeNs >= 0;
        }
        tryOpen();
        return false;
    }

    /** Opens the session by looking any key up. Meanwhile threads take turns. */
    private void tryOpen()
    {
        if (System.nanoTime() - triedNs >= RETRY_NS && isOpening.compareAndSet(false, true))
        {
            boolean isSubmitted = false;
            try
            {
                worker.submit(new AsyncOperation(Operation.GET, ANY_KEY, null, deadlineNs(),
                    (value, failure) -> tried(failure == null)));
                isSubmitted = true;
            }
            finally
            {
                if (!isSubmitted)
                {
                    tried(false);
                }
            }
        }
    }

    private void tried(final boolean isOpen)
    {
        triedNs = System.nanoTime() - (isOpen ? RETRY_NS : 0);
        isOpening.set(false);
    }

    /** Threads take turns for a while; longer each time that another long value follows soon. */
    private synchronized void pauseLonger()
    {
        final long nowNs = System.nanoTime();
        final long sinceNs = nowNs - longValueNs;
        if (sinceNs >= FIRST_PAUSE_NS)
        {
            pauseNs = sinceNs < 4 * pauseNs ? Math.min(LAST_PAUSE_NS, 2 * pauseNs) : FIRST_PAUSE_NS;
            longValueNs = nowNs;
            pause(nowNs + pauseNs);
        }
    }

    private synchronized void pause(final long untilNs)
    {
        if (untilNs - resumeNs > 0)
        {
            resumeNs = untilNs;
        }
    }

    private long deadlineNs()
    {
        return System.nanoTime() + context.configuration().deadlineNs();
    }

    /** The client that the operations are of. */
    ClientContext context()
    {
        return context;
    }

    /** A lookup found a value of some length. One that is long has delayed others. */
    void found(final int length)
    {
        if (length > MAX_FOUND_LENGTH)
        {
            pauseLonger();
        }
    }

    /**
     * Carries an operation out together with those of others.
     *
     * @param name       {@link Operation#GET}, {@link Operation#PUT} or {@link Operation#DELETE}.
     * @param key        that nobody changes any more.
     * @param value      of a put, that nobody changes any more, or null.
     * @param durationNs nanoseconds that it may take.
     * @return what {@link AsyncOperation.Completion} tells.
     */
    Object await(final String name, final byte[] key, final byte @Nullable [] value, final long durationNs)
    {
        KeyLength.checked(name, key.length, context.addressText());
        final long startNs = System.nanoTime();
        final Waiter waiter = new Waiter();
        final AsyncOperation operation = new AsyncOperation(
            name, key, value, startNs + durationNs, waiter);
        if (running.incrementAndGet() == 1)
        {
            progressNs = startNs;
        }
        try
        {
            worker.submit(operation);
            await(waiter, operation);
        }
        finally
        {
            running.decrementAndGet();
        }
        final long endNs = System.nanoTime();
        if (endNs - startNs >= LONG_NS)
        {
            pause(endNs + FIRST_PAUSE_NS);
        }
        if (waiter.failure != null)
        {
            waiter.failure.addSuppressed(new Asked());
            throw waiter.failure;
        }
        return waiter.result;
    }

    private void await(final Waiter waiter, final AsyncOperation operation)
    {
        long endNs = operation.deadlineNs();
        boolean isInterrupted = false;
        try
        {
            while (!waiter.isDone)
            {
                final long leftNs = endNs - System.nanoTime();
                if (leftNs <= 0 && endNs != operation.deadlineNs())
                {
                    throw ended(operation, "deadline passed, and its thread does not tell what became of it",
                        operation.isLookup() ? WriteFate.NONE : WriteFate.UNKNOWN);
                }
                if (leftNs <= 0)
                {
                    endNs += SLACK_NS;
                    operation.failUntaken(ended(operation, "deadline passed before it could begin", unsent(operation)));
                }
                else
                {
                    LockSupport.parkNanos(this, leftNs);
                }
                if (Thread.interrupted())
                {
                    isInterrupted = true;
                    // Only before the operation was begun. Later it ends by its deadline, as with a session of its own.
                    operation.failUntaken(ended(
                        operation, "thread was interrupted while it waited for a session", unsent(operation)));
                }
            }
        }
        finally
        {
            if (isInterrupted)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    private StoreDeadlineException ended(
        final AsyncOperation operation, final String reason, final WriteFate fate)
    {
        return new StoreDeadlineException(reason, new FailureContext(
            operation.name(), KeyText.of(operation.key()), context.addressText(), fate));
    }

    private static WriteFate unsent(final AsyncOperation operation)
    {
        return Operation.unsentFate(operation.name());
    }
}
