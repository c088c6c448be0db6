package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServerResourcesTest
{
    /** Short, as the stuck agent is waited for so long. */
    private static final long STOP_NS = TimeUnit.SECONDS.toNanos(2);

    private final List<String> closed = new ArrayList<>();
    private final ServerResources resources = new ServerResources((agent, cause) -> { }, STOP_NS);

    @Test
    void shouldCloseInReverseOrderOnceAgentsHaveStopped()
    {
        resources.add(() -> closed.add("memory"));
        final TestAgent agent = run("first");
        resources.add(() -> closed.add("watch"));

        resources.closeAll(null);
        assertTrue(agent.hasEnded());
        assertEquals(List.of("watch", "memory"), closed);
    }

    @Test
    void shouldStopTheOtherAgentsIfOneDoesNotStopAndFreeNothingThatTheyUsed() throws InterruptedException
    {
        final CountDownLatch release = new CountDownLatch(1);
        resources.add(() -> closed.add("memory"));
        final TestAgent first = run("first");
        final TestAgent second = run("second");
        final TestAgent stuck = run("stuck");
        stuck.hold(release);
        final TestAgent last = run("last");
        try (CapturedLog log = new CapturedLog())
        {
            resources.closeAll(null);
            assertTrue(first.hasEnded() && second.hasEnded() && last.hasEnded());
            assertFalse(stuck.hasEnded());
            assertEquals(List.of(), closed);
            assertEquals(1, log.count("resources of the thread stay allocated"), log.text());
        }
        finally
        {
            release.countDown();
        }
        assertTrue(stuck.ended.await(60, TimeUnit.SECONDS));
    }

    @Test
    void shouldNameEachAgentThatDoesNotStop() throws InterruptedException
    {
        final CountDownLatch release = new CountDownLatch(1);
        final TestAgent first = run("first");
        first.hold(release);
        final TestAgent last = run("last");
        last.hold(release);
        try (CapturedLog log = new CapturedLog())
        {
            resources.closeAll(null);
            assertEquals(1, log.count("thread=first"), log.text());
            assertEquals(1, log.count("thread=last"), log.text());
        }
        finally
        {
            release.countDown();
        }
        assertTrue(first.ended.await(60, TimeUnit.SECONDS));
        assertTrue(last.ended.await(60, TimeUnit.SECONDS));
    }

    private TestAgent run(final String name)
    {
        final TestAgent agent = new TestAgent(name);
        resources.run(agent, new SleepingMillisIdleStrategy(1), agent::stop);
        return agent;
    }

    private static final class TestAgent implements Agent
    {
        private final String name;
        private final CountDownLatch ended = new CountDownLatch(1);
        private final CountDownLatch held = new CountDownLatch(1);
        private volatile CountDownLatch release;
        private volatile boolean isStopped;

        TestAgent(final String name)
        {
            this.name = name;
        }

        /** Returns once the agent hangs. */
        void hold(final CountDownLatch until) throws InterruptedException
        {
            release = until;
            assertTrue(held.await(60, TimeUnit.SECONDS));
        }

        void stop()
        {
            isStopped = true;
        }

        boolean hasEnded()
        {
            return ended.getCount() == 0;
        }

        @Override
        public int doWork() throws InterruptedException
        {
            if (release != null)
            {
                held.countDown();
                release.await();
            }
            if (isStopped)
            {
                throw new AgentTerminationException(true);
            }
            return 0;
        }

        @Override
        public void onClose()
        {
            ended.countDown();
        }

        @Override
        public String roleName()
        {
            return name;
        }
    }
}
