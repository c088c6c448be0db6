package org.onesided.client;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.onesided.client.callback.AsyncOperation;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreLimitException;
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
    private static final int ABSENT = -1;

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

    JointOperations(final ClientContext context)
    {
        this.context = context;
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
    boolean tryAdmit(final SessionPool<?> pool)
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

    byte[] get(final byte[] key)
    {
        final byte[] found = (byte[])await(Operation.GET, key, null);
        if (found != null && found.length > MAX_FOUND_LENGTH)
        {
            pauseLonger();
        }
        return found;
    }

    String get(final String key)
    {
        final byte[] bytes = text(Operation.GET, key, "key");
        final byte[] found = get(bytes);
        final String text = found == null ? null : Utf8.decode(found);
        if (found != null && text == null)
        {
            throw new StoreLimitException("value is not valid UTF-8, get it as bytes: length=" + found.length,
                new FailureContext(Operation.GET, KeyText.of(bytes), context.addressText(), WriteFate.NONE));
        }
        return text;
    }

    int get(
        final DirectBuffer key, final int keyOffset, final int keyLength, final MutableDirectBuffer value,
        final int valueOffset)
    {
        final byte[] found = get(copy(Operation.GET, key, keyOffset, keyLength));
        if (found == null)
        {
            return ABSENT;
        }
        if (found.length > 0)
        {
            final long room = (long)value.capacity() - valueOffset;
            if (valueOffset < 0 || room < found.length && !value.isExpandable())
            {
                throw noRoom(found.length, room);
            }
            value.putBytes(valueOffset, found);
        }
        return found.length;
    }

    int get(final ByteBuffer key, final ByteBuffer value)
    {
        if (value.isReadOnly())
        {
            throw new ReadOnlyBufferException();
        }
        final byte[] found = get(copy(Operation.GET, key));
        if (found == null)
        {
            return ABSENT;
        }
        if (value.remaining() < found.length)
        {
            throw noRoom(found.length, value.remaining());
        }
        value.put(found);
        return found.length;
    }

    void put(
        final DirectBuffer key, final int keyOffset, final int keyLength, final DirectBuffer value,
        final int valueOffset, final int valueLength)
    {
        value.boundsCheck(valueOffset, valueLength);
        final byte[] bytes = new byte[valueLength];
        value.getBytes(valueOffset, bytes);
        await(Operation.PUT, copy(Operation.PUT, key, keyOffset, keyLength), bytes);
    }

    void put(final ByteBuffer key, final ByteBuffer value)
    {
        await(Operation.PUT, copy(Operation.PUT, key), copy(value));
    }

    boolean delete(final DirectBuffer key, final int keyOffset, final int keyLength)
    {
        return tryDelete(copy(Operation.DELETE, key, keyOffset, keyLength));
    }

    boolean delete(final ByteBuffer key)
    {
        return tryDelete(copy(Operation.DELETE, key));
    }

    void put(final byte[] key, final byte[] value)
    {
        // Copy key and value: a caller that gives up at its deadline may change its arrays while the operation runs on.
        await(Operation.PUT, key.clone(), value.clone());
    }

    void put(final String key, final String value)
    {
        await(Operation.PUT, text(Operation.PUT, key, "key"), text(Operation.PUT, value, "value"));
    }

    boolean delete(final byte[] key)
    {
        return tryDelete(key.clone());
    }

    boolean delete(final String key)
    {
        return tryDelete(text(Operation.DELETE, key, "key"));
    }

    private boolean tryDelete(final byte[] key)
    {
        return (Boolean)await(Operation.DELETE, key, null);
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

    private byte[] text(final String name, final String text, final String what)
    {
        return Utf8.encoded(text, what, name, context.addressText());
    }

    private Object await(final String name, final byte[] key, final byte[] value)
    {
        KeyLength.checked(name, key.length, context.addressText());
        final long startNs = System.nanoTime();
        final Waiter waiter = new Waiter();
        final AsyncOperation operation = new AsyncOperation(
            name, key, value, startNs + context.configuration().deadlineNs(), waiter);
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

    private byte[] copy(final String name, final DirectBuffer key, final int offset, final int length)
    {
        KeyLength.checked(name, length, context.addressText());
        key.boundsCheck(offset, length);
        final byte[] bytes = new byte[length];
        key.getBytes(offset, bytes);
        return bytes;
    }

    private byte[] copy(final String name, final ByteBuffer key)
    {
        KeyLength.checked(name, key.remaining(), context.addressText());
        return copy(key);
    }

    private static byte[] copy(final ByteBuffer buffer)
    {
        final byte[] bytes = new byte[buffer.remaining()];
        buffer.get(buffer.position(), bytes);
        return bytes;
    }

    private StoreLimitException noRoom(final int length, final long room)
    {
        return new StoreLimitException("value does not fit, give more room: length=" + length + " room=" + room,
            FailureContext.unsent(Operation.GET, context.addressText()));
    }
}
