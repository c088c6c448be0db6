package org.onesided.tools.kvctl.command;

import org.onesided.client.StoreClient;
import org.onesided.tools.kvctl.console.Surroundings;

/**
 * All that a command needs to know of the command line around it.
 */
public interface Invocation
{
    /**
     * Streams and variables.
     *
     * @return those of the process, or of the shell that the command is typed into.
     */
    Surroundings surroundings();

    /**
     * The client that all commands of a shell use.
     *
     * @return the client, null if each command makes its own.
     */
    StoreClient sharedClient();

    /**
     * Server, device, TLS, deadline and the like.
     *
     * @return the options before the command.
     */
    SettingOptions connection();

    /**
     * The settings that hold for commands without such options of their own.
     *
     * @return options before the command, and variables.
     */
    default GivenSettings settings()
    {
        return new GivenSettings(new SettingOptions(), connection(), surroundings());
    }

    /**
     * Whether to show more on standard error.
     *
     * @return whether that was asked for.
     */
    boolean isVerbose();

    /**
     * Sets the least level of the log, before the first logger is made.
     *
     * @param level in lower case; more is logged if the command is verbose.
     */
    default void logFrom(final String level)
    {
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", isVerbose() ? "debug" : level);
    }

    /**
     * Sets the least level of one logger, before it is made.
     *
     * @param logger its name.
     * @param level  in lower case.
     */
    default void alsoLog(final String logger, final String level)
    {
        System.setProperty("org.slf4j.simpleLogger.log." + logger, isVerbose() ? "debug" : level);
    }
}
