package org.onesided.verbs.soft;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.onesided.waiting.Cores;

/**
 * A lock that costs one atomic operation without contention; under contention, waiting threads yield to the owner. Not
 * reentrant.
 */
public final class SpinLock
{
    /** Spins for some tens of microseconds: owners release the lock within that, even with a system call. */
    private static final int SPINS = 4000;
    /** The same if other threads want the cores: the owner may not be running. */
    private static final int SPINS_ON_SHARED_CORES = 1000;
    private static final long PARK_NS = 50_000;
    private static final VarHandle HELD;

    static
    {
        try
        {
            HELD = MethodHandles.lookup().findVarHandle(SpinLock.class, "held", int.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private int held;

    /**
     * Waits until the lock is this thread's.
     */
    public void acquire()
    {
        if (!tryAcquire())
        {
            contend();
        }
    }

    /**
     * @return whether the lock was free and is now this thread's.
     */
    public boolean tryAcquire()
    {
        return HELD.compareAndSet(this, 0, 1);
    }

    /**
     * Frees the lock, which must be this thread's.
     */
    public void release()
    {
        HELD.setRelease(this, 0);
    }

    private void contend()
    {
        final Cores cores = Cores.ofProcess();
        final int spins =
            cores.isSingle() ? 0 : cores.allowSpinning(System.nanoTime()) ? SPINS : SPINS_ON_SHARED_CORES;
        for (int i = 0;; i++)
        {
            if ((int)HELD.getOpaque(this) == 0 && tryAcquire())
            {
                return;
            }
            if (i < spins)
            {
                Thread.onSpinWait();
            }
            else
            {
                LockSupport.parkNanos(PARK_NS);
            }
        }
    }
}
