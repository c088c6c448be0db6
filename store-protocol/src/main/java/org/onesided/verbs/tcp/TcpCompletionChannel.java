package org.onesided.verbs.tcp;

import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.soft.SoftCompletionChannel;
import org.onesided.verbs.soft.SoftContext;

/**
 * A channel that sleeps on the sockets of its active connections; the progress thread wakes it for the others. One
 * thread sleeps on the sockets, and further threads wait for it.
 */
final class TcpCompletionChannel extends SoftCompletionChannel
{
    private final Attendance attendance;
    private final Selector selector;
    private final Object monitor = new Object();
    private final Consumer<SelectionKey> ready = (key) -> ((Connection)key.attachment()).foundReady();
    private volatile SelectionKey[] keys = {};
    private volatile boolean rung;
    private boolean selecting;
    /** Whether a key was cancelled, whose socket the next selection releases. */
    private boolean cancelled;

    TcpCompletionChannel(final SoftContext context, final Attendance attendance)
    {
        super(context, context.uses());
        this.attendance = attendance;
        try
        {
            selector = Selector.open();
        }
        catch (final IOException ex)
        {
            throw new VerbsException("create_comp_channel", Errno.EIO,
                "cannot wait for sockets, see the limit of open files: " + ex.getMessage(), ex);
        }
    }

    /**
     * Adds a connection for sleeping threads to serve.
     */
    void add(final Connection connection)
    {
        synchronized (monitor)
        {
            try
            {
                final List<SelectionKey> all = new ArrayList<>(List.of(keys));
                all.add(connection.socket().register(selector, 0, connection));
                keys = all.toArray(SelectionKey[]::new);
            }
            catch (final IOException ex)
            {
                // The socket is closed and needs no service.
                return;
            }
        }
        ring();
    }

    void remove(final Connection connection)
    {
        synchronized (monitor)
        {
            final List<SelectionKey> all = new ArrayList<>(List.of(keys));
            all.removeIf((key) -> key.attachment() == connection);
            keys = all.toArray(SelectionKey[]::new);
        }
        final SelectionKey key = connection.socket().keyFor(selector);
        if (key == null)
        {
            return;
        }
        key.cancel();
        synchronized (monitor)
        {
            cancelled = true;
        }
        if (beginSelecting(0))
        {
            endSelecting();
        }
        else
        {
            // A selecting thread checks once more at the end, whichever call woke it.
            selector.wakeup();
        }
    }

    /** Called by the progress thread. */
    @Override
    protected boolean progressesByItself()
    {
        return true;
    }

    @Override
    protected void ring()
    {
        rung = true;
        selector.wakeup();
    }

    @Override
    protected boolean clearRing()
    {
        final boolean was = rung;
        rung = false;
        return was;
    }

    @Override
    protected void sleep(final long timeoutNs)
    {
        // An interrupt does not end the sleep, as it does not with other devices.
        boolean interrupted = Thread.interrupted();
        if (beginSelecting(timeoutNs))
        {
            try
            {
                select(timeoutNs);
            }
            catch (final IOException ex)
            {
                throw new VerbsException("get_cq_event", Errno.EIO, "cannot wait: " + ex.getMessage(), ex);
            }
            finally
            {
                endSelecting();
            }
        }
        interrupted |= Thread.interrupted();
        if (interrupted)
        {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    protected void release()
    {
        Sockets.closeSelector(selector);
    }

    private void select(final long timeoutNs) throws IOException
    {
        final SelectionKey[] slept = keys;
        for (final SelectionKey key : slept)
        {
            ((Connection)key.attachment()).beginSleep(key);
        }
        try
        {
            if (!rung &&
                selector.select(ready, Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNs - 1) + 1)) != 0)
            {
                rung = true;
            }
        }
        finally
        {
            for (final SelectionKey key : slept)
            {
                ((Connection)key.attachment()).endSleep();
            }
            if (slept.length != 0)
            {
                attendance.check();
            }
        }
    }

    /** Whether this thread may use the selector; if not, it has waited for the thread that does. */
    private boolean beginSelecting(final long timeoutNs)
    {
        synchronized (monitor)
        {
            if (!selecting)
            {
                selecting = true;
                return true;
            }
            if (timeoutNs > 0 && !rung)
            {
                try
                {
                    TimeUnit.NANOSECONDS.timedWait(monitor, timeoutNs);
                }
                catch (final InterruptedException ex)
                {
                    Thread.currentThread().interrupt();
                }
            }
            return false;
        }
    }

    private void endSelecting()
    {
        synchronized (monitor)
        {
            if (cancelled)
            {
                cancelled = false;
                releaseCancelled();
            }
            selecting = false;
            monitor.notifyAll();
        }
    }

    private void releaseCancelled()
    {
        try
        {
            selector.selectNow();
        }
        catch (final IOException | ClosedSelectorException ex)
        {
            // The key is released with the channel.
            return;
        }
    }
}
