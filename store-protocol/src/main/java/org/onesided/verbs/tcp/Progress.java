package org.onesided.verbs.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.UnsafeApi;
import org.onesided.verbs.Errno;
import org.onesided.verbs.ThreadEnd;
import org.onesided.verbs.VerbsException;
import org.onesided.waiting.Spin;

/**
 * The thread of a context that looks after its sockets: those that listen and those without a queue pair, passive
 * connections, and active ones that nobody else looks after. It sleeps in a selector, after a short while of looking
 * again.
 */
final class Progress implements Runnable
{
    /**
     * How long it looks again before it sleeps: a peer that asks one thing after the other does so within this. Longer
     * is no better, as measured, and takes the processor from others.
     */
    private static final long SPIN_NS = TimeUnit.MICROSECONDS.toNanos(20);
    /** However much there is to do, deadlines are looked at so often. */
    private static final long ROUND_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int DRAIN_LENGTH = 64 * 1024;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long FOR_EVER_NS = Long.MAX_VALUE;

    private final Selector selector;
    private final Thread thread;
    private final Runnable onFailed;
    private final List<Ticking> ticking = new ArrayList<>();
    private final Spin spin = new Spin(SPIN_NS);
    private final Consumer<SelectionKey> ready = Progress::handle;
    private final List<Timed> timed = new ArrayList<>();
    private final ArrayDeque<Attended> queue = new ArrayDeque<>();
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final ByteBuffer drain = ByteBuffer.allocateDirect(DRAIN_LENGTH);
    private volatile boolean hasTasks;
    private volatile boolean sleeping;
    private volatile boolean stopping;
    /** Whether there was something to do the last time, so that more may come soon. */
    private boolean worked;

    /**
     * @param name     of the thread.
     * @param onFailed called by the thread if it ends though nobody stopped it, for instance because the heap is full.
     */
    Progress(final String name, final Runnable onFailed)
    {
        this.onFailed = onFailed;
        selector = open();
        thread = new Thread(this, name);
        thread.setDaemon(true);
    }

    void start()
    {
        thread.start();
    }

    /**
     * Stops the thread, closes all sockets that are left, and waits for the thread to end.
     *
     * @throws VerbsException with {@code EBUSY} if it does not end in time.
     */
    void stop()
    {
        stopping = true;
        selector.wakeup();
        final String stuck = ThreadEnd.await(thread, ThreadEnd.PATIENCE_NS);
        if (stuck != null)
        {
            throw new VerbsException("close_device", Errno.EBUSY, stuck);
        }
    }

    /**
     * Frees all resources if the thread was never started.
     */
    void abandon()
    {
        Sockets.closeSelector(selector);
    }

    /**
     * @return empty memory for unwanted bytes; for the thread itself.
     */
    ByteBuffer drain()
    {
        return drain.clear();
    }

    /**
     * Has something done now and then; before the thread starts.
     */
    void add(final Ticking one)
    {
        ticking.add(one);
    }

    /**
     * Has a queue pair looked after soon; from any thread.
     */
    void attend(final Attended one)
    {
        synchronized (queue)
        {
            if (!one.isQueued())
            {
                one.queued(true);
                queue.add(one);
                hasTasks = true;
            }
        }
        wakeUp();
    }

    /**
     * Has something done by the thread; from any thread.
     */
    void execute(final Runnable task)
    {
        synchronized (queue)
        {
            tasks.add(task);
            hasTasks = true;
        }
        wakeUp();
    }

    /**
     * Makes the thread check for work; may be called from any thread.
     */
    void wakeUp()
    {
        UnsafeApi.fullFence();
        if (sleeping)
        {
            selector.wakeup();
        }
    }

    /**
     * Has a socket looked after; by the thread itself, or before it starts.
     */
    SelectionKey register(final SelectableChannel socket, final int interest, final Handler handler)
        throws IOException
    {
        return socket.register(selector, interest, handler);
    }

    /**
     * Remembers when time is up; by the thread itself.
     */
    void add(final Timed one)
    {
        timed.add(one);
    }

    int timedCount()
    {
        return timed.size();
    }

    void remove(final Timed one)
    {
        timed.remove(one);
    }

    @Override
    public void run()
    {
        try
        {
            while (!stopping)
            {
                work();
            }
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException("the selector failed: " + ex.getMessage(), ex);
        }
        finally
        {
            try
            {
                closeAll();
            }
            finally
            {
                if (!stopping)
                {
                    onFailed.run();
                }
            }
        }
    }

    private void work() throws IOException
    {
        final long startNs = System.nanoTime();
        long nowNs = startNs;
        spin.begin();
        boolean again = worked && spin.again(nowNs);
        while (again && nowNs - startNs < ROUND_NS && !stopping)
        {
            if (selector.selectNow(ready) + takeTasks() != 0)
            {
                spin.end();
                spin.begin();
                nowNs = System.nanoTime();
            }
            else
            {
                nowNs = System.nanoTime();
                again = spin.again(nowNs);
            }
        }
        worked = false;
        final long timeoutNs = Math.min(timers(nowNs), tick(nowNs));
        sleeping = true;
        UnsafeApi.fullFence();
        if (!hasTasks && !stopping)
        {
            worked = selector.select(
                ready, timeoutNs == FOR_EVER_NS ? 0 : Math.max(1, timeoutNs / NANOS_PER_MILLI)) != 0;
        }
        sleeping = false;
        worked |= takeTasks() != 0;
        if (worked)
        {
            spin.end();
        }
    }

    private void run(final Runnable task)
    {
        try
        {
            task.run();
        }
        catch (final RuntimeException ex)
        {
            // Unforeseen; what it was about ends by its deadline.
            worked = true;
        }
    }

    /** A failure of one socket ends only that socket. */
    private static void handle(final SelectionKey key)
    {
        final Handler handler = (Handler)key.attachment();
        try
        {
            handler.ready();
        }
        catch (final RuntimeException ex)
        {
            try
            {
                // Before, for it tells whose socket it was.
                handler.failed();
            }
            finally
            {
                Sockets.close(key.channel());
            }
        }
    }

    private int takeTasks()
    {
        if (!hasTasks)
        {
            return 0;
        }
        int count = 0;
        // Those that come meanwhile are for the next time.
        final int most;
        synchronized (queue)
        {
            most = queue.size() + tasks.size();
        }
        while (count < most)
        {
            final Attended attended;
            final Runnable task;
            synchronized (queue)
            {
                task = tasks.poll();
                attended = task == null ? queue.poll() : null;
                hasTasks = !tasks.isEmpty() || !queue.isEmpty();
                if (attended != null)
                {
                    attended.queued(false);
                }
            }
            if (task != null)
            {
                run(task);
            }
            else if (attended != null)
            {
                attended.attend();
            }
            count++;
        }
        return count;
    }

    /** Ends what has had its time; says how long until the next. */
    private long timers(final long nowNs)
    {
        long leftNs = FOR_EVER_NS;
        for (int i = timed.size() - 1; i >= 0 && i < timed.size(); i--)
        {
            final Timed one = timed.get(i);
            final long left = one.deadlineNs() - nowNs;
            if (left <= 0)
            {
                one.expire();
            }
            else
            {
                leftNs = Math.min(leftNs, left);
            }
        }
        return leftNs;
    }

    private long tick(final long nowNs)
    {
        long leftNs = FOR_EVER_NS;
        for (int i = 0; i < ticking.size(); i++)
        {
            leftNs = Math.min(leftNs, ticking.get(i).tick(nowNs));
        }
        return leftNs;
    }

    private void closeAll()
    {
        takeTasks();
        for (final Timed one : List.copyOf(timed))
        {
            one.closed();
        }
        for (final SelectionKey key : selector.keys())
        {
            Sockets.close(key.channel());
        }
        Sockets.closeSelector(selector);
    }

    private static Selector open()
    {
        try
        {
            return Selector.open();
        }
        catch (final IOException ex)
        {
            throw new VerbsException("open_device", Errno.EIO,
                "cannot wait for sockets, see the limit of open files: " + ex.getMessage(), ex);
        }
    }
}
