package org.onesided.client;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.onesided.waiting.Interruptible;

/**
 * The right to open one partition's client, which one thread at a time has. A close can interrupt that thread.
 * Thread-safe.
 */
final class Opening
{
    private final ReentrantLock lock = new ReentrantLock();
    /** The thread that opens. Guarded by this object's monitor, as the rest is. */
    private Thread thread;
    private boolean isInterrupted;

    /**
     * Takes the right, and waits while another thread has it. The caller calls {@link #end} if it got it.
     *
     * @param atNs for how long, a time of {@link System#nanoTime()}.
     * @return whether this thread has it.
     */
    boolean tryBegin(final long atNs) throws InterruptedException
    {
        if (!lock.tryLock(Math.max(0, atNs - System.nanoTime()), TimeUnit.NANOSECONDS))
        {
            return false;
        }
        synchronized (this)
        {
            thread = Thread.currentThread();
        }
        return true;
    }

    /** Gives the right back. What {@link #interrupt} has done to the thread is over. */
    void end()
    {
        synchronized (this)
        {
            thread = null;
            if (isInterrupted)
            {
                isInterrupted = false;
                Thread.interrupted();
            }
        }
        lock.unlock();
    }

    /** Interrupts the thread that has the right, if there is one, it is another, and nobody else has interrupted it. */
    synchronized void interrupt()
    {
        if (thread != null && thread != Thread.currentThread() && !thread.isInterrupted())
        {
            isInterrupted = true;
            thread.interrupt();
        }
    }

    /**
     * Waits for the thread that opens.
     *
     * @param endNs for how long, a time of {@link System#nanoTime()}.
     * @return whether none does any more; not if this thread is interrupted.
     */
    boolean awaitEnd(final long endNs)
    {
        final boolean isOver = Interruptible.await(
            () -> lock.tryLock(Math.max(0, endNs - System.nanoTime()), TimeUnit.NANOSECONDS));
        if (isOver)
        {
            lock.unlock();
        }
        return isOver;
    }
}
