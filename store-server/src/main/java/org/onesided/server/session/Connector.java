package org.onesided.server.session;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The threads that create attachments, so that the acceptor does not wait. If a client's GID is unreachable, a device
 * takes up to a second to find that out. Thread-safe.
 */
public final class Connector implements AutoCloseable
{
    /** Threads that connect clients: so many unreachable clients at a time do not delay others. */
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
