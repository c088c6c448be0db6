package org.onesided.verbs.tcp;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProgressTest
{
    private static final long HANG_GUARD_S = 60;

    private final CountDownLatch failed = new CountDownLatch(1);
    private final Progress progress = new Progress("tcp-progress-test", failed::countDown);
    private volatile boolean isOver;

    @AfterEach
    void stop()
    {
        isOver = true;
        progress.stop();
    }

    @Test
    void shouldEndWhatHasHadItsTimeThoughThereIsAlwaysSomethingToDo() throws InterruptedException
    {
        final CountDownLatch expired = new CountDownLatch(1);
        progress.add(new Deadline(expired));
        progress.start();
        progress.execute(this::again);

        assertTrue(expired.await(HANG_GUARD_S, TimeUnit.SECONDS), "nothing ends while the thread is busy");
    }

    @Test
    void shouldTellIfItsThreadEndsByItself() throws InterruptedException
    {
        progress.start();
        progress.execute(() ->
        {
            Thread.currentThread().setUncaughtExceptionHandler((thread, cause) -> { });
            throw new OutOfMemoryError("thrown by a test");
        });

        assertTrue(failed.await(HANG_GUARD_S, TimeUnit.SECONDS), "nobody hears that the sockets are not looked after");
    }

    private void again()
    {
        if (!isOver)
        {
            progress.execute(this::again);
        }
    }

    private final class Deadline extends Timed
    {
        private final CountDownLatch expired;

        Deadline(final CountDownLatch expired)
        {
            super(TimeUnit.MILLISECONDS.toNanos(1));
            this.expired = expired;
        }

        @Override
        public void ready()
        {
            // It is attached to no socket.
        }

        @Override
        void expire()
        {
            progress.remove(this);
            expired.countDown();
        }
    }
}
