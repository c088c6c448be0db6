package org.onesided.powercut;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;

/**
 * A thread that writes the steps of some sequences by a session of its own, as long as it may.
 */
final class Writer implements AutoCloseable
{
    private static final long LOOK_MS = 2;

    private final StoreSession session;
    private final List<Sequence> sequences;
    private final Consumer<Sequence> onAcknowledged;
    private final SplittableRandom random;
    private final Thread thread;
    private volatile boolean isPaused = true;
    private volatile boolean isIdle = true;
    private volatile boolean isClosed;
    private volatile StoreException lastFailure;
    private volatile Throwable crash;

    /**
     * Makes one that is paused.
     *
     * @param session        to write by, closed with this.
     * @param sequences      that nobody else writes.
     * @param onAcknowledged called after each acknowledgement, before the next write begins.
     * @param seed           of what is drawn.
     */
    Writer(
        final StoreSession session,
        final List<Sequence> sequences,
        final Consumer<Sequence> onAcknowledged,
        final long seed)
    {
        this.session = session;
        this.sequences = sequences;
        this.onAcknowledged = onAcknowledged;
        random = new SplittableRandom(seed);
        thread = new Thread(this::run, "writer");
        thread.start();
    }

    private void run()
    {
        try
        {
            while (!isClosed)
            {
                if (isPaused)
                {
                    isIdle = true;
                    TimeUnit.MILLISECONDS.sleep(LOOK_MS);
                    continue;
                }
                isIdle = false;
                if (!isPaused)
                {
                    write(sequences.get(random.nextInt(sequences.size())));
                }
            }
        }
        catch (final InterruptedException | RuntimeException | Error e)
        {
            crash = e;
        }
        isIdle = true;
    }

    private void write(final Sequence sequence)
    {
        final Step step = sequence.begin(random);
        Step.Fate fate = Step.Fate.DONE;
        try
        {
            final byte[] key = sequence.keys().get(step.key());
            if (step.number() == NumberedValue.ABSENT)
            {
                session.delete(key);
            }
            else
            {
                session.put(key, NumberedValue.bytes(step.number()));
            }
        }
        catch (final StoreException e)
        {
            fate = e.writeFate() == WriteFate.NOT_APPLIED ? Step.Fate.NOT_DONE : Step.Fate.UNKNOWN;
            lastFailure = e;
            // A write of unknown fate is the last one of its sequence until somebody has looked.
            isPaused = true;
        }
        sequence.end(step, fate);
        if (fate == Step.Fate.DONE)
        {
            onAcknowledged.accept(sequence);
        }
    }

    /** Lets it write. */
    void go()
    {
        lastFailure = null;
        isPaused = false;
    }

    /** Lets it end the present write and begin no more. It also pauses by itself when a write has failed. */
    void pause()
    {
        isPaused = true;
    }

    /** Whether it is paused and writes nothing. */
    boolean isIdle()
    {
        return isPaused && isIdle || crash != null;
    }

    /** Of the last write, if it failed; otherwise null. */
    StoreException lastFailure()
    {
        return lastFailure;
    }

    /** By what the thread ended, or null. */
    Throwable crash()
    {
        return crash;
    }

    @Override
    public void close()
    {
        isClosed = true;
        try (session)
        {
            thread.join();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }
}
