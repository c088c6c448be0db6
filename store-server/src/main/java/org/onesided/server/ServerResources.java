package org.onesided.server;

import java.util.ArrayDeque;
import java.util.Deque;
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
    /** Description of a thread that an agent could not stop, or null. */
    private volatile String stillRunning;

    /**
     * @param onAgentEnded hears on its thread which agent has ended, and what ended it or null.
     */
    ServerResources(final BiConsumer<String, Throwable> onAgentEnded)
    {
        this.onAgentEnded = onAgentEnded;
    }

    <T extends AutoCloseable> T add(final T resource)
    {
        opened.push(resource);
        return resource;
    }

    /** Runs an agent on a thread of its own. Closing calls {@code stop} and waits for the thread. */
    void run(final Agent agent, final IdleStrategy idleStrategy, final Runnable stop)
    {
        final AgentRunner runner = new AgentRunner(
            idleStrategy,
            (error) ->
            {
                LOGGER.error("unexpected error: agent={}", agent.roleName(), error);
                if (error instanceof StillRunningException)
                {
                    stillRunning = error.getMessage();
                }
            },
            null,
            agent);
        final Thread thread = AgentRunner.startOnThread(runner, (task) -> new Thread(() -> attend(agent, task)));
        opened.push(() ->
        {
            stop.run();
            final String stuck = ThreadEnd.await(thread, LONGEST_STOP_NS);
            if (stuck != null || stillRunning != null)
            {
                throw new StillRunningException(stuck != null ? stuck : stillRunning);
            }
            runner.close();
        });
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
                // The thread may use any of the remaining resources. They are freed when the process ends.
                opened.clear();
                LOGGER.error("resources of the thread stay allocated: {}", e.getMessage());
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
}
