package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CleanStopTest
{
    private static final Path PATH = Path.of("/data");
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(60);

    private final CountDownLatch released = new CountDownLatch(1);

    @Test
    void shouldWriteTheMarkAndThenRelease()
    {
        final CountDownLatch written = new CountDownLatch(1);
        try (CapturedLog log = new CapturedLog())
        {
            CleanStop.run(PATH, () ->
            {
                assertEquals(1, released.getCount());
                written.countDown();
            }, released::countDown, LONG_NS);
            assertEquals(0, written.getCount());
            assertEquals(0, released.getCount());
            assertEquals(0, log.count("clean"), log.text());
        }
    }

    @Test
    void shouldReleaseAndSayWhatFailed()
    {
        try (CapturedLog log = new CapturedLog())
        {
            CleanStop.run(PATH, () ->
            {
                throw new IOException("Input/output error");
            }, released::countDown, LONG_NS);
            assertEquals(0, released.getCount());
            assertEquals(1, log.count("stop is not marked as clean: path=/data cause="), log.text());
        }
    }

    /** As after a log that did not close in time. */
    @Test
    void shouldNotWaitForADiskThatDoesNotAnswer() throws InterruptedException
    {
        final CountDownLatch answer = new CountDownLatch(1);
        try (CapturedLog log = new CapturedLog())
        {
            CleanStop.run(PATH, () ->
            {
                try
                {
                    answer.await();
                }
                catch (final InterruptedException e)
                {
                    Thread.currentThread().interrupt();
                }
            }, released::countDown, TimeUnit.MILLISECONDS.toNanos(10));
            assertEquals(1, released.getCount(), "the mark may still be written");
            assertEquals(1, log.count("stop is not marked as clean, the disk does not answer: path=/data"), log.text());
        }
        finally
        {
            answer.countDown();
        }
        assertTrue(released.await(60, TimeUnit.SECONDS));
    }
}
