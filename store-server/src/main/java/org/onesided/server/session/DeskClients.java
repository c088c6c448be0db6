package org.onesided.server.session;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.CloseHelper;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.onesided.protocol.bootstrap.codec.RefusalCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clients at a desk, a few at a time, each on a thread of its own. Thread-safe.
 */
public final class DeskClients implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(DeskClients.class);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final int most;
    private final WorkerThreads threads;
    private final Set<MessageChannel> clients = ConcurrentHashMap.newKeySet();
    private volatile boolean isClosed;

    /**
     * @param name    of the threads, a number behind it.
     * @param most    clients at a time.
     * @param onError hears, on any thread, of what ends the server.
     */
    public DeskClients(final String name, final int most, final Consumer<Error> onError)
    {
        this.most = most;
        threads = new WorkerThreads(name, most, onError);
    }

    /**
     * @return whether there are as many as there may be.
     */
    public boolean areMost()
    {
        return clients.size() >= most;
    }

    /**
     * @param channel of a client.
     * @return whether it is still served, or waits for that.
     */
    public boolean contains(final MessageChannel channel)
    {
        return clients.contains(channel);
    }

    /**
     * @return whether the desk is closed, and nothing is to be waited for.
     */
    public boolean isClosed()
    {
        return isClosed;
    }

    /**
     * Serves a client, and closes its connection then.
     *
     * @param channel of the client.
     * @param service done on a thread of the desk; not done if the desk is closed before its turn.
     */
    public void serve(final MessageChannel channel, final Runnable service)
    {
        clients.add(channel);
        threads.execute(() ->
        {
            try
            {
                service.run();
            }
            catch (final RuntimeException e)
            {
                LOGGER.error("client at a desk could not be served, after an unexpected error", e);
                LastWords.refuse(channel, RefusalCode.INTERNAL, String.valueOf(e.getMessage()));
            }
            finally
            {
                clients.remove(channel);
                CloseHelper.quietClose(channel);
            }
        });
    }

    /**
     * Waits for a client's next message. Looks several times whether the desk is closed.
     *
     * @param channel of the client.
     * @param endNs   when it must be there, a time of {@link System#nanoTime()}.
     * @return the message's template id.
     * @throws IOException if it does not come in time, the desk is closed, or the connection breaks.
     */
    public int await(final MessageChannel channel, final long endNs) throws IOException
    {
        while (true)
        {
            try
            {
                final long nowNs = System.nanoTime();
                return channel.receive(nowNs + Math.max(0, Math.min(LOOK_NS, endNs - nowNs)));
            }
            catch (final SocketTimeoutException e)
            {
                if (isClosed || System.nanoTime() - endNs >= 0)
                {
                    throw e;
                }
            }
        }
    }

    /** Waits for what is being done, and takes leave of those whose turn has not come. */
    @Override
    public void close()
    {
        isClosed = true;
        threads.close();
        clients.forEach(CloseHelper::quietClose);
    }
}
