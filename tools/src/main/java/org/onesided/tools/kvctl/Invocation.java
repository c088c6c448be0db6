package org.onesided.tools.kvctl;

import org.onesided.client.StoreClient;

/**
 * All that a command needs to know of the command line around it.
 */
interface Invocation
{
    /** Streams and variables of the process, or of the shell that the command is typed into. */
    Surroundings surroundings();

    /** The client that all commands of a shell use, null if each command makes its own. */
    StoreClient sharedClient();

    /** What stands before the command: server, device, TLS, deadline. */
    ClientOptions connection();

    /** Whether to show more on standard error. */
    boolean isVerbose();

    /** Sets the least level of the log, before the first logger is made. */
    default void logFrom(final String level)
    {
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", isVerbose() ? "debug" : level);
    }

    /** Sets the least level of one logger, before it is made. */
    default void alsoLog(final String logger, final String level)
    {
        System.setProperty("org.slf4j.simpleLogger.log." + logger, isVerbose() ? "debug" : level);
    }
}
