package org.onesided.server.snapshot;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.onesided.waiting.Interruptible;

/**
 * Waits for the thread of a {@link SnapshotWriter}, for those who fill one as fast as they can read.
 */
public final class WriterPace
{
    private static final long WAIT_NS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long ABORT_MS = TimeUnit.SECONDS.toMillis(10);

    private WriterPace()
    {
    }

    /**
     * Waits until the disk keeps up.
     *
     * @param writer that is being filled.
     * @throws IOException if it has failed, or the thread is interrupted.
     */
    public static void awaitRoom(final SnapshotWriter writer) throws IOException
    {
        while (!writer.hasRoom())
        {
            LockSupport.parkNanos(WAIT_NS);
            checkInterrupted();
        }
        checkGood(writer);
    }

    /**
     * Waits until the file is there, whole and durable.
     *
     * @param writer that was finished.
     * @throws IOException if it has failed, or the thread is interrupted.
     */
    public static void awaitDone(final SnapshotWriter writer) throws IOException
    {
        while (writer.state() == SnapshotWriter.State.WRITING)
        {
            LockSupport.parkNanos(WAIT_NS);
            checkInterrupted();
        }
        checkGood(writer);
    }

    /**
     * Gives a snapshot up, unless it is done, and waits until its thread has ended, up to 10 seconds. If interrupted,
     * the thread stays so.
     *
     * @param writer to be ended.
     */
    public static void abort(final SnapshotWriter writer)
    {
        writer.abort();
        Interruptible.await(() -> writer.await(ABORT_MS));
    }

    private static void checkGood(final SnapshotWriter writer) throws IOException
    {
        if (writer.state() == SnapshotWriter.State.FAILED)
        {
            throw new IOException(writer.reason());
        }
    }

    private static void checkInterrupted() throws IOException
    {
        if (Thread.currentThread().isInterrupted())
        {
            throw new IOException("interrupted");
        }
    }
}
