package org.onesided.verbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.onesided.testing.NoLostWakeUps;
import org.onesided.waiting.LostWakeUps;

class LostWakeUpTest
{
    private static final long CAP_NS = TimeUnit.MILLISECONDS.toNanos(500);

    /** An event comes while its thread sleeps. */
    private static final class Channel extends SoftCompletionChannel
    {
        private final boolean isDeaf;
        private final SoftCompletionQueue queue = new SoftCompletionQueue(null, null, null, 1, this);
        private boolean isRung;

        Channel(final boolean isDeaf)
        {
            super(null, null);
            this.isDeaf = isDeaf;
        }

        @Override
        protected void ring()
        {
            isRung = !isDeaf;
        }

        @Override
        protected boolean clearRing()
        {
            final boolean was = isRung;
            isRung = false;
            return was;
        }

        @Override
        protected void sleep(final long timeoutNs)
        {
            raise(queue);
            final long endNs = System.nanoTime() + timeoutNs;
            while (System.nanoTime() - endNs < 0)
            {
                LockSupport.parkNanos(endNs - System.nanoTime());
            }
        }

        @Override
        protected void release()
        {
            // There is nothing to release.
        }
    }

    @Test
    void shouldCountASleepThatOnlyItsCapEnded()
    {
        NoLostWakeUps.pardon(1);
        assertEquals(1, lost(new Channel(true)));
    }

    @Test
    void shouldNotCountASleeperThatWasWokenLate()
    {
        assertEquals(0, lost(new Channel(false)));
    }

    private static long lost(final Channel channel)
    {
        final long before = LostWakeUps.total();
        assertSame(channel.queue, channel.awaitEvent(CAP_NS));
        return LostWakeUps.total() - before;
    }
}
