package org.onesided.client;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.onesided.client.callback.AsyncOperation;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.session.ClientContext;
import org.onesided.client.session.KeyText;
import org.onesided.client.session.Watched;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends asynchronous operations whose time is up while the client's thread waits for a lost server on behalf of others,
 * which have more time. Looked after by the life line's thread, as long as there are such operations; callbacks run on
 * threads of their own. Thread-safe.
 */
final class AsyncDeadlines implements Watched
{
    private static final Logger LOGGER = LoggerFactory.getLogger(AsyncDeadlines.class);
    /** The client's thread, which knows more of an operation, has so long to end it after its deadline. */
    private static final long GRACE_NS = TimeUnit.MILLISECONDS.toNanos(20);
    /** Threads that callbacks may keep at a time. */
    private static final int MAX_THREADS = 64;

    private final ClientContext context;
    private final Queue<AsyncOperation> operations = new ConcurrentLinkedQueue<>();
    private final AtomicInteger threads = new AtomicInteger();

    AsyncDeadlines(final ClientContext context)
    {
        this.context = context;
    }

    /** Looks after an operation until its end is told. */
    void add(final AsyncOperation operation)
    {
        operations.add(operation);
        context.lifeLine().lookSoon();
    }

    @Override
    public boolean look(final long nowNs)
    {
        operations.removeIf(AsyncOperation::isTold);
        if (threads.get() < MAX_THREADS && operations.stream().anyMatch(operation -> isOver(operation, nowNs)))
        {
            try
            {
                final Thread thread = new Thread(this::giveUpAll, "onesided-async-late " + context.address());
                thread.setDaemon(true);
                thread.start();
            }
            catch (final OutOfMemoryError e)
            {
                LOGGER.error("no thread can be started to end late operations, they wait", e);
            }
        }
        return !operations.isEmpty();
    }

    private void giveUpAll()
    {
        threads.incrementAndGet();
        try
        {
            for (final AsyncOperation operation : operations)
            {
                if (isOver(operation, System.nanoTime()))
                {
                    giveUp(operation);
                }
            }
        }
        finally
        {
            threads.decrementAndGet();
        }
    }

    private void giveUp(final AsyncOperation operation)
    {
        try
        {
            operation.giveUp(
                late(operation, Operation.unsentFate(operation.name())),
                late(operation, operation.isLookup() ? WriteFate.NONE : WriteFate.UNKNOWN));
        }
        catch (final RuntimeException | Error e)
        {
            LOGGER.error("callback failed, others go on: operation={}", operation.name(), e);
        }
    }

    private StoreDeadlineException late(final AsyncOperation operation, final WriteFate fate)
    {
        return new StoreDeadlineException("deadline passed while the client's thread waited for others",
            new FailureContext(operation.name(), KeyText.of(operation.key()), context.addressText(), fate));
    }

    private static boolean isOver(final AsyncOperation operation, final long nowNs)
    {
        return nowNs - operation.deadlineNs() >= GRACE_NS;
    }
}
