package org.onesided.server.session;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The threads that make attachments, so that the acceptor need not wait: to look for the way to a client's GID takes a
 * device up to a second if there is none. They end when there was nothing to do for a while. Thread-safe.
 */
final class Connector implements AutoCloseable
{
    /** Clients that cannot be reached do not keep others from attaching, unless there are so many at a time. */
    private static final int THREADS = 4;
    private static final long IDLE_S = 10;

    private final AtomicInteger started = new AtomicInteger();
    private final Set<Thread> all = ConcurrentHashMap.newKeySet();
    private final ThreadPoolExecutor threads;
    private final Consumer<Runnable> acceptor;
    private final Consumer<Error> onError;

    /**
     * @param acceptor runs something on the acceptor's thread.
     * @param onError  hears, on any thread, of what ends the server.
     */
    Connector(final Consumer<Runnable> acceptor, final Consumer<Error> onError)
    {
        this.acceptor = acceptor;
        this.onError = onError;
        threads = new ThreadPoolExecutor(THREADS, THREADS, IDLE_S, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
            this::thread);
        threads.allowCoreThreadTimeOut(true);
    }

    private Thread thread(final Runnable task)
    {
        all.removeIf((thread) -> thread.getState() == Thread.State.TERMINATED);
        final Thread thread = new Thread(task, "store-connector-" + started.getAndIncrement());
        all.add(thread);
        return thread;
    }

    /**
     * Makes an attachment.
     *
     * @param maker of it.
     * @param then  takes, on the acceptor's thread, either the attachment or what was thrown.
     */
    void make(final Supplier<Attachment> maker, final BiConsumer<Attachment, RuntimeException> then)
    {
        threads.execute(() ->
        {
            try
            {
                final Attachment made = maker.get();
                acceptor.accept(() -> then.accept(made, null));
            }
            catch (final RuntimeException e)
            {
                acceptor.accept(() -> then.accept(null, e));
            }
            catch (final Error e)
            {
                onError.accept(e);
            }
        });
    }

    /**
     * Waits for the attachments that are being made; those that were not begun are not made.
     */
    @Override
    public void close()
    {
        threads.shutdown();
        threads.getQueue().clear();
        boolean isInterrupted = false;
        boolean isDone = false;
        while (!isDone)
        {
            try
            {
                final boolean isTerminated = threads.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
                // The pool calls itself terminated a moment before its last thread is.
                for (final Thread thread : all)
                {
                    thread.join();
                }
                isDone = isTerminated;
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
}
