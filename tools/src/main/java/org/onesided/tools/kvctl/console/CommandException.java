package org.onesided.tools.kvctl.console;

/**
 * Ends a command with a message in one line and an exit code.
 */
public final class CommandException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /** Exit code for the shell. */
    private final ExitCode exitCode;

    /**
     * Ends a command for a reason of its own.
     *
     * @param exitCode for the shell.
     * @param message one line.
     */
    public CommandException(final ExitCode exitCode, final String message)
    {
        this(exitCode, message, null);
    }

    /**
     * Ends a command because of a failure below it.
     *
     * @param exitCode for the shell.
     * @param message one line.
     * @param cause of the failure, which --verbose shows.
     */
    public CommandException(final ExitCode exitCode, final String message, final Throwable cause)
    {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /**
     * Accesses the exit code.
     *
     * @return exit code for the shell.
     */
    public ExitCode exitCode()
    {
        return exitCode;
    }
}
