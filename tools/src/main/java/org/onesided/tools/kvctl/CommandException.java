package org.onesided.tools.kvctl;

/**
 * Ends a command with a message in one line and an exit code.
 */
final class CommandException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /** What to tell the shell. */
    private final ExitCode exitCode;

    CommandException(final ExitCode exitCode, final String message)
    {
        this(exitCode, message, null);
    }

    CommandException(final ExitCode exitCode, final String message, final Throwable cause)
    {
        super(message, cause);
        this.exitCode = exitCode;
    }

    ExitCode exitCode()
    {
        return exitCode;
    }
}
