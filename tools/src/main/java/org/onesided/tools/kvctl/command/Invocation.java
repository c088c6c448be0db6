package org.onesided.tools.kvctl.command;

import org.onesided.client.StoreClient;
import org.onesided.tools.kvctl.console.Surroundings;

/**
 * The command line around a command.
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
     * The client shared by all commands of a shell.
     *
     * @return the client; null if each command opens its own.
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
     * Whether to print more on standard error.
     *
     * @return whether the user asked for it.
     */
    boolean isVerbose();

    /**
     * Sets the lowest level of the log, before the first logger is created.
     *
     * @param level in lower case; a verbose command logs more.
     */
    default void logFrom(final String level)
    {
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", isVerbose() ? "debug" : level);
    }

    /**
     * Sets the lowest level of one logger, before it is created.
     *
     * @param logger its name.
     * @param level  in lower case.
     */
    default void alsoLog(final String logger, final String level)
    {
        System.setProperty("org.slf4j.simpleLogger.log." + logger, isVerbose() ? "debug" : level);
    }
}
