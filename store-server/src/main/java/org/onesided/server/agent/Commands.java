package org.onesided.server.agent;

import java.util.Queue;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commands of other threads to an agent, which executes them on its own thread in the order of submission. Thread-safe,
 * except {@link #execute}.
 */
public final class Commands
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Commands.class);

    private final Queue<Runnable> commands = new ManyToOneConcurrentLinkedQueue<>();
    private final String agent;
    private final Runnable wakeUp;

    /**
     * @param agent  name of the agent, for the log.
     * @param wakeUp ends the agent's sleep, or its next one.
     */
    public Commands(final String agent, final Runnable wakeUp)
    {
        this.agent = agent;
        this.wakeUp = wakeUp;
    }

    /**
     * @param command for the agent, which is woken for it.
     */
    public void add(final Runnable command)
    {
        commands.add(command);
        wakeUp.run();
    }

    /**
     * Carries out all commands. One that fails is logged, and keeps no other from being carried out. For the agent's
     * thread.
     *
     * @return how many there were.
     */
    public int execute()
    {
        int count = 0;
        for (Runnable command = commands.poll(); command != null; command = commands.poll())
        {
            count++;
            try
            {
                command.run();
            }
            catch (final RuntimeException e)
            {
                LOGGER.error("unexpected error: agent={}", agent, e);
            }
        }
        return count;
    }
}
