package org.onesided.verbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SoftCompletionQueueTest
{
    private int looks;

    /** A queue pair that counts how often it is to look for arrivals, a system call over tcp. */
    private final class QueuePair implements SoftCompletionQueue.Source
    {
        @Override
        public void progress()
        {
            looks++;
        }

        @Override
        public void refreshArmed()
        {
            // There is no peer to tell.
        }

        @Override
        public long waitLeftNs(final long nowNs)
        {
            return Timers.FOR_EVER_NS;
        }
    }

    private static final class Channel extends SoftCompletionChannel
    {
        private final boolean isDriven;

        Channel(final boolean isDriven)
        {
            super(null, null);
            this.isDriven = isDriven;
        }

        @Override
        protected boolean progressesByItself()
        {
            return isDriven;
        }

        @Override
        protected void ring()
        {
            // Nobody sleeps.
        }

        @Override
        protected boolean clearRing()
        {
            return false;
        }

        @Override
        protected void sleep(final long timeoutNs)
        {
            endWait();
        }

        @Override
        protected void release()
        {
            // There is nothing to release.
        }
    }

    @Test
    void shouldSleepWithoutALookWhereWhatComesEndsTheSleep()
    {
        final Channel channel = new Channel(true);
        final SoftCompletionQueue queue = queue(channel);
        queue.poll(0, 0);
        assertEquals(1, looks);
        queue.requestNotify(false);
        queue.poll(0, 0);
        channel.awaitEvent(TimeUnit.MINUTES.toNanos(1));
        assertEquals(2, looks, "a look once the sleep is over");
        queue.poll(0, 0);
        assertEquals(3, looks, "a poll that no wait follows looks itself");
    }

    @Test
    void shouldLookAgainWhereAPollFollowsThePollAfterTheArming()
    {
        final SoftCompletionQueue queue = queue(new Channel(true));
        queue.requestNotify(false);
        queue.poll(0, 0);
        assertEquals(0, looks);
        queue.poll(0, 0);
        assertEquals(1, looks);
    }

    @Test
    void shouldLookWhereItIsArmedAgainAndAgainAndNobodyWaits()
    {
        final SoftCompletionQueue queue = queue(new Channel(true));
        for (int i = 0; i < 4; i++)
        {
            queue.requestNotify(false);
            queue.poll(0, 0);
        }
        assertEquals(2, looks, "every second poll");
    }

    @Test
    void shouldLookBeforeItIsArmedWhereOnlyPollsAndWaitsLook()
    {
        final SoftCompletionQueue queue = queue(new Channel(false));
        queue.requestNotify(false);
        assertEquals(1, looks);
        queue.poll(0, 0);
        assertEquals(2, looks);
    }

    private SoftCompletionQueue queue(final Channel channel)
    {
        final SoftCompletionQueue queue = new SoftCompletionQueue(null, null, null, 1, channel);
        queue.add(new QueuePair());
        channel.add(queue);
        return queue;
    }
}
