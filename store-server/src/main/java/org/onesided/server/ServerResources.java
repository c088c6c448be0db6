package org.onesided.server;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.IdleStrategy;
import org.onesided.verbs.StillRunningException;
import org.onesided.verbs.ThreadEnd;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open resources of a server and the threads of its agents, closed in reverse order. The caller ensures that one
 * thread at a time uses it.
 */
final class ServerResources
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ServerResources.class);
    /** Most threads stop at once; the acceptor first waits for its workers. */
    private static final long LONGEST_STOP_NS = 3 * ThreadEnd.PATIENCE_NS;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final BiConsumer<String, Throwable> onAgentEnded;
    private final long longestStopNs;
    /** Description of a thread that an agent could not stop, or null. */
    private volatile String stillRunning;

    /**
     * @param onAgentEnded hears on its thread which agent has ended, and what ended it or null.
     */
    ServerResources(final BiConsumer<String, Throwable> onAgentEnded)
    {
        this(onAgentEnded, LONGEST_STOP_NS);
    }

    /**
     * As above.
     *
     * @param longestStopNs how long an agent may take to stop, in nanoseconds.
     */
    ServerResources(final BiConsumer<String, Throwable> onAgentEnded, final long longestStopNs)
    {
        this.onAgentEnded = onAgentEnded;
        this.longestStopNs = longestStopNs;
    }

    <T extends AutoCloseable> T add(final T resource)
    {
        opened.push(resource);
        return resource;
    }

    /** Runs an agent on a thread of its own. Closing calls {@code stop} and waits for the thread. */
    void run(final Agent agent, final IdleStrategy idleStrategy, final Runnable stop)
    {
        final AgentErrors errors = new AgentErrors(agent.roleName(), System::nanoTime);
        final AgentRunner runner = new AgentRunner(
            idleStrategy,
            (error) ->
            {
                errors.onError(error);
                if (error instanceof StillRunningException)
                {
                    stillRunning = error.getMessage();
                }
            },
            null,
            agent);
        final Thread thread = AgentRunner.startOnThread(runner, (task) -> new Thread(() -> attend(agent, task)));
        opened.push(new RunningAgent(runner, thread, stop));
    }

    /** An agent on its thread. */
    private final class RunningAgent implements AutoCloseable
    {
        private final AgentRunner runner;
        private final Thread thread;
        private final Runnable stop;

        RunningAgent(final AgentRunner runner, final Thread thread, final Runnable stop)
        {
            this.runner = runner;
            this.thread = thread;
            this.stop = stop;
        }

        /** Asks the agent to stop, without waiting for that. */
        void tell()
        {
            stop.run();
        }

        /** Waits until the thread has ended; what it does instead, or null. */
        String await(final long timeoutNs)
        {
            return ThreadEnd.await(thread, timeoutNs);
        }

        @Override
        public void close()
        {
            tell();
            final String stuck = await(longestStopNs);
            if (stuck != null || stillRunning != null)
            {
                throw new StillRunningException(stuck != null ? stuck : stillRunning);
            }
            runner.close();
        }
    }

    /** The runner has logged what it threw. */
    private void attend(final Agent agent, final Runnable task)
    {
        Throwable cause = null;
        try
        {
            task.run();
        }
        catch (final RuntimeException | Error e)
        {
            cause = e;
        }
        onAgentEnded.accept(agent.roleName(), cause);
    }

    /**
     * Closes everything, but not what a thread may use that does not end.
     *
     * @param cause gets what goes wrong meanwhile as suppressed exceptions; null to have that logged.
     */
    void closeAll(final Throwable cause)
    {
        while (!opened.isEmpty())
        {
            try
            {
                opened.pop().close();
            }
            catch (final StillRunningException e)
            {
                LOGGER.error("resources of the thread stay allocated: {}", e.getMessage());
                // The thread may use any of the remaining resources. They are freed when the process ends.
                stopRemaining();
                opened.clear();
            }
            catch (final Exception e)
            {
                if (cause == null)
                {
                    LOGGER.error("could not be closed", e);
                }
                else
                {
                    cause.addSuppressed(e);
                }
            }
        }
    }

    /** Stops the agents that still run, so that a server that is left with a stuck thread does not serve on. */
    private void stopRemaining()
    {
        final List<RunningAgent> agents = opened.stream()
            .filter(RunningAgent.class::isInstance).map(RunningAgent.class::cast).toList();
        agents.forEach(RunningAgent::tell);
        final long endNs = System.nanoTime() + longestStopNs;
        for (final RunningAgent agent : agents)
        {
            final String stuck = agent.await(endNs - System.nanoTime());
            if (stuck != null)
            {
                LOGGER.error("resources of the thread stay allocated: {}", stuck);
            }
        }
    }
}
