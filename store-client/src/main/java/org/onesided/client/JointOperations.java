package org.onesided.client;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Operations of threads that find all sessions lent. One thread carries them out for all, over a session of its own, so
 * that requests which wait together go out together: over tcp those of 16 threads take one system call, where threads
 * that take turns make 16 and switch as often. A thread that comes back finds the others here and stays with them; one
 * that is alone takes a session of the pool again. Thread-safe.
 */
final class JointOperations
{
    /** Longer values would keep the others waiting. */
    static final int MAX_VALUE_LENGTH = 4096;
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(5);
    /** Operations end by their deadline; no thread waits for longer than this beyond it. */
    private static final long SLACK_NS = TimeUnit.SECONDS.toNanos(1);
    private static final byte[] ANY_KEY = {0};
    private static final int ABSENT = -1;

    private final ClientContext context;
    private final AsyncWorker worker;
    private final AsyncStore store;
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicLong triedNs = new AtomicLong(System.nanoTime() - RETRY_NS);
    /** Whether there is a session. A server may have no room for it: then threads take turns. */
    private volatile boolean isReady;

    JointOperations(final ClientContext context)
    {
        this.context = context;
        worker = new AsyncWorker(context, "onesided-joint ", null);
        store = new AsyncFutures(context, worker);
    }

    /** What carries them out; it ends with the client. */
    AsyncWorker worker()
    {
        return worker;
    }

    /** Whether an operation is to join the others, or become the first, since all sessions are lent. */
    boolean areWanted(final boolean isCrowded)
    {
        if (isReady)
        {
            return isCrowded || running.get() > 0;
        }
        if (isCrowded)
        {
            tryOpen();
        }
        return false;
    }

    byte[] get(final byte[] key)
    {
        return await(Operation.GET, (all) -> all.get(key));
    }

    String get(final String key)
    {
        return await(Operation.GET, (all) -> all.get(key));
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
        put(copy(Operation.PUT, key, keyOffset, keyLength), bytes);
    }

    void put(final ByteBuffer key, final ByteBuffer value)
    {
        put(copy(Operation.PUT, key), copy(value));
    }

    boolean delete(final DirectBuffer key, final int keyOffset, final int keyLength)
    {
        return delete(copy(Operation.DELETE, key, keyOffset, keyLength));
    }

    boolean delete(final ByteBuffer key)
    {
        return delete(copy(Operation.DELETE, key));
    }

    void put(final byte[] key, final byte[] value)
    {
        await(Operation.PUT, (all) -> all.put(key, value));
    }

    void put(final String key, final String value)
    {
        await(Operation.PUT, (all) -> all.put(key, value));
    }

    boolean delete(final byte[] key)
    {
        return await(Operation.DELETE, (all) -> all.delete(key));
    }

    boolean delete(final String key)
    {
        return await(Operation.DELETE, (all) -> all.delete(key));
    }

    /** Opens the session, which a lookup of any key does, while threads take turns. */
    private void tryOpen()
    {
        final long lastNs = triedNs.get();
        final long nowNs = System.nanoTime();
        if (nowNs - lastNs >= RETRY_NS && triedNs.compareAndSet(lastNs, nowNs))
        {
            store.get(ANY_KEY).whenComplete((value, failure) -> isReady = failure == null);
        }
    }

    private <T> T await(final String name, final Function<AsyncStore, CompletableFuture<T>> operation)
    {
        running.incrementAndGet();
        boolean isInterrupted = false;
        try
        {
            final CompletableFuture<T> future = operation.apply(store);
            while (true)
            {
                try
                {
                    return future.get(context.configuration().deadlineNs() + SLACK_NS, TimeUnit.NANOSECONDS);
                }
                catch (final InterruptedException e)
                {
                    // As with a session of its own: an operation under way ends by its deadline.
                    isInterrupted = true;
                }
            }
        }
        catch (final ExecutionException e)
        {
            throw failed(e.getCause());
        }
        catch (final TimeoutException e)
        {
            throw new StoreDeadlineException("deadline passed, and its thread does not tell what became of it",
                new FailureContext(name, null, context.address().toString(),
                    name.equals(Operation.GET) ? WriteFate.NONE : WriteFate.UNKNOWN), e);
        }
        finally
        {
            running.decrementAndGet();
            if (isInterrupted)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    private byte[] copy(final String name, final DirectBuffer key, final int offset, final int length)
    {
        KeyLength.checked(name, length, context.address().toString());
        key.boundsCheck(offset, length);
        final byte[] bytes = new byte[length];
        key.getBytes(offset, bytes);
        return bytes;
    }

    private byte[] copy(final String name, final ByteBuffer key)
    {
        KeyLength.checked(name, key.remaining(), context.address().toString());
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
            FailureContext.unsent(Operation.GET, context.address().toString()));
    }

    private RuntimeException failed(final Throwable cause)
    {
        if (!(cause instanceof StoreException))
        {
            return new IllegalStateException("operation failed unforeseen", cause);
        }
        if (cause instanceof StoreConnectException || cause instanceof StoreDisconnectedException)
        {
            isReady = false;
        }
        // Who asked is of more use in it than the thread that found it.
        cause.fillInStackTrace();
        return (StoreException)cause;
    }
}
