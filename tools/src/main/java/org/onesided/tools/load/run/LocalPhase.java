package org.onesided.tools.load.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.onesided.tools.load.output.ClientTotals;
import org.onesided.tools.load.output.Conflicts;
import org.onesided.tools.load.output.PhaseResult;
import org.onesided.tools.load.output.Verification;

/**
 * One phase of this process: its threads, and the thread that waits for them and collects their records.
 */
final class LocalPhase
{
    private static final long INTERVAL_NS = 1_000_000_000;
    private static final long NS_PER_MS = 1_000_000;

    private final StoreAccess store;
    private final int threadCount;
    private final long warmUpNs;
    private final long durationNs;
    private final List<ThreadRecorder> recorders = new ArrayList<>();
    private final Worker[] workers;
    private final CountDownLatch opened;
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch ended;
    private final OpenFailure openFailure = new OpenFailure();
    private volatile PhaseClock clock;
    private volatile PhaseFailure failure;
    private volatile boolean isCancelled;
    private boolean isInterrupted;
    private boolean isMeasuring;
    private long takenUntilNs;
    private ClientTotals totalsBefore;
    private long cpuBeforeNs;

    /** Creates the task of a thread. */
    interface Work
    {
        Worker worker(
            int thread,
            StoreAccess.Session session,
            PhaseClock clock,
            ThreadRecorder recorder,
            PhaseFailure failure);
    }

    /** The failure of a thread to open its session. */
    private static final class OpenFailure
    {
        private volatile Throwable thrown;

        void rethrow()
        {
            LocalPhase.rethrow(thrown);
        }
    }

    /**
     * @param durationNs {@link PhaseClock#NEVER} for no limit.
     */
    LocalPhase(
        final StoreAccess store,
        final int threadCount,
        final long warmUpNs,
        final long durationNs,
        final boolean hasTarget)
    {
        this.store = store;
        this.threadCount = threadCount;
        this.warmUpNs = warmUpNs;
        this.durationNs = durationNs;
        workers = new Worker[threadCount];
        opened = new CountDownLatch(threadCount);
        ended = new CountDownLatch(threadCount);
        for (int i = 0; i < threadCount; i++)
        {
            recorders.add(new ThreadRecorder(hasTarget));
        }
    }

    PhaseEnd run(final Work work, final PhaseListener listener, final boolean isVerified)
    {
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < threadCount; i++)
        {
            final int number = i;
            threads.add(new Thread(() -> runThread(number, work), "load-" + i));
        }
        final List<Thread> started = new ArrayList<>();
        try
        {
            for (final Thread thread : threads)
            {
                thread.start();
                started.add(thread);
            }
            awaitOpened();
            if (warmUpNs == 0)
            {
                // A short phase may be over before this thread comes to its intervals.
                beginMeasuring(listener);
            }
            clock = new PhaseClock(warmUpNs, durationNs);
            failure = new PhaseFailure(clock);
            begun.countDown();
            takeIntervals(listener);
        }
        finally
        {
            isCancelled = true;
            if (clock != null)
            {
                clock.stop();
            }
            begun.countDown();
            join(started);
        }
        takeLast(listener);
        rethrow(failure == null ? null : failure.cause());
        return end(isVerified);
    }

    private void runThread(final int number, final Work work)
    {
        try (StoreAccess.Session session = open())
        {
            if (session != null && awaitBegin())
            {
                final Worker worker = work.worker(number, session, clock, recorders.get(number), failure);
                workers[number] = worker;
                worker.run();
            }
        }
        catch (final RuntimeException | Error e)
        {
            tell(e);
        }
        finally
        {
            ended.countDown();
        }
    }

    /** Closing a session may also fail before the phase has begun. */
    private void tell(final Throwable thrown)
    {
        if (failure != null)
        {
            failure.tell(thrown);
        }
        else if (openFailure.thrown == null)
        {
            openFailure.thrown = thrown;
        }
    }

    private StoreAccess.Session open()
    {
        try
        {
            return store.open();
        }
        catch (final RuntimeException | Error e)
        {
            openFailure.thrown = e;
            return null;
        }
        finally
        {
            opened.countDown();
        }
    }

    private boolean awaitBegin()
    {
        try
        {
            begun.await();
            return !isCancelled;
        }
        catch (final InterruptedException e)
        {
            return false;
        }
    }

    private void awaitOpened()
    {
        try
        {
            opened.await();
        }
        catch (final InterruptedException e)
        {
            isInterrupted = true;
        }
        openFailure.rethrow();
    }

    private void takeIntervals(final PhaseListener listener)
    {
        try
        {
            while (!isInterrupted && ended.getCount() > 0)
            {
                final long nowNs = clock.nowNs();
                if (!isMeasuring && nowNs < warmUpNs)
                {
                    listener.warmingUp(warmUpNs - nowNs);
                    ended.await(Math.min(INTERVAL_NS, warmUpNs - nowNs), TimeUnit.NANOSECONDS);
                    continue;
                }
                beginMeasuring(listener);
                final long dueNs = takenUntilNs + INTERVAL_NS;
                if (nowNs >= dueNs)
                {
                    // On a grid of whole seconds, so that the intervals of several clients coincide.
                    take(nowNs - (nowNs - dueNs) % INTERVAL_NS, listener);
                }
                else
                {
                    ended.await(dueNs - nowNs, TimeUnit.NANOSECONDS);
                }
            }
        }
        catch (final InterruptedException e)
        {
            isInterrupted = true;
        }
    }

    private void beginMeasuring(final PhaseListener listener)
    {
        if (!isMeasuring)
        {
            isMeasuring = true;
            takenUntilNs = warmUpNs;
            totalsBefore = store.totals();
            cpuBeforeNs = cpuNs();
            listener.measuring();
        }
    }

    private void take(final long untilNs, final PhaseListener listener)
    {
        final long startMs = (takenUntilNs - warmUpNs) / NS_PER_MS;
        final Interval interval = new Interval(startMs, (untilNs - warmUpNs) / NS_PER_MS - startMs);
        recorders.forEach(recorder -> recorder.addTo(interval));
        takenUntilNs = untilNs;
        listener.interval(interval);
    }

    private void takeLast(final PhaseListener listener)
    {
        if (clock != null)
        {
            beginMeasuring(listener);
            take(Math.max(takenUntilNs, lastNs()), listener);
        }
    }

    private static void rethrow(final Throwable thrown)
    {
        if (thrown instanceof Error)
        {
            throw (Error)thrown;
        }
        if (thrown != null)
        {
            throw (RuntimeException)thrown;
        }
    }

    private long lastNs()
    {
        long lastNs = warmUpNs;
        for (final Worker worker : workers)
        {
            lastNs = Math.max(lastNs, worker == null ? 0 : worker.lastNs());
        }
        return lastNs;
    }

    private PhaseEnd end(final boolean isVerified)
    {
        long done = 0;
        long failed = 0;
        long verified = 0;
        long behind = 0;
        Conflicts conflicts = Conflicts.NONE;
        for (int i = 0; i < threadCount; i++)
        {
            done += recorders.get(i).doneCount();
            failed += recorders.get(i).failedCount();
            verified += recorders.get(i).verifiedCount();
            conflicts = conflicts.plus(recorders.get(i).conflicts());
            behind += workers[i] == null ? 0 : workers[i].behind();
        }
        return new PhaseEnd(
            failure.isTold() ? PhaseResult.Ending.FAILED :
                isInterrupted ? PhaseResult.Ending.INTERRUPTED : PhaseResult.Ending.DONE,
            lastNs() - warmUpNs,
            done,
            failed,
            behind,
            conflicts,
            isVerified,
            Counts.failures(recorders.stream().map(Counts::failures).toList()),
            new Verification(verified, Counts.faults(recorders.stream().map(Counts::faults).toList())),
            store.totals().minus(totalsBefore),
            cpuNs() - cpuBeforeNs,
            List.of());
    }

    private static long cpuNs()
    {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
    }

    /** Waits for all threads, even if interrupted: they were told to stop, and each of their calls has a deadline. */
    private void join(final List<Thread> threads)
    {
        for (final Thread thread : threads)
        {
            boolean isJoined = false;
            while (!isJoined)
            {
                try
                {
                    thread.join();
                    isJoined = true;
                }
                catch (final InterruptedException e)
                {
                    isInterrupted = true;
                }
            }
        }
    }
}
