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
 * The thread of a context that serves its sockets: listening ones, those without a queue pair yet, passive connections,
 * and active ones that no other thread serves. It spins briefly, then sleeps in a selector.
 *
 * <p>Agrona's {@code AgentRunner} does not fit: it repeats a failed agent, while this thread must end at its first
 * failure, close all sockets and report that; and its interrupts would close the channel that the thread is using.
 */
final class Progress implements Runnable
{
    /**
     * How long the thread polls before it sleeps: the next request of a peer with one request at a time arrives within
     * this. Longer spins measured no better, and take the core from other threads.
     */
    private static final long SPIN_NS = TimeUnit.MICROSECONDS.toNanos(20);
    /** Interval between checks of deadlines under load. */
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
    /** Whether the last pass found work, so that more may follow soon. */
    private boolean worked;

    /**
     * @param name     of the thread.
     * @param onFailed called by the thread if it ends without being stopped, for example by an OutOfMemoryError.
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
     * Stops the thread, which closes all remaining sockets, and waits for its end.
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
     * @return a cleared buffer for bytes to discard; for the thread itself.
     */
    ByteBuffer drain()
    {
        return drain.clear();
    }

    /**
     * Adds a periodic task; before the thread starts.
     */
    void add(final Ticking one)
    {
        ticking.add(one);
    }

    /**
     * Queues a queue pair to be served soon; from any thread.
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
     * Queues a task for the thread; from any thread.
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
     * Registers a socket; by the thread itself, or before it starts.
     */
    SelectionKey register(final SelectableChannel socket, final int interest, final Handler handler)
        throws IOException
    {
        return socket.register(selector, interest, handler);
    }

    /**
     * Adds an object with a deadline; by the thread itself.
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
        if (again)
        {
            // What follows sleeps. It is no success of the spin, and takes no core away from it.
            spin.begin();
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
            // A bug. The operation of the task ends by its deadline.
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
                // Before the close, because the handler reads the socket's addresses.
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
        // Later arrivals wait for the next pass.
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

    /** Expires objects whose deadline has passed, and returns the nanoseconds until the next deadline. */
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
