package org.onesided.server.session;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The threads that make attachments, so that the acceptor need not wait: to look for the way to a client's GID takes a
 * device up to a second if there is none. Thread-safe.
 */
public final class Connector implements AutoCloseable
{
    /** Clients that cannot be reached do not keep others from attaching, unless there are so many at a time. */
    private static final int THREADS = 4;

    private final WorkerThreads threads;
    private final Consumer<Runnable> acceptor;

    /**
     * @param acceptor runs something on the acceptor's thread.
     * @param onError  hears, on any thread, of what ends the server.
     */
    public Connector(final Consumer<Runnable> acceptor, final Consumer<Error> onError)
    {
        this.acceptor = acceptor;
        threads = new WorkerThreads("store-connector", THREADS, onError);
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
        });
    }

    /**
     * Waits for the attachments that are being made; those that were not begun are not made.
     */
    @Override
    public void close()
    {
        threads.close();
    }
}
