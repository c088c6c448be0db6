package org.onesided.tools.load.run;

/**
 * A client process could not start its work.
 */
public final class ClientProcessException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /** Exit code of the process. */
    private final int exitCode;

    ClientProcessException(final String message, final int exitCode, final Throwable cause)
    {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /**
     * @return the process's exit code.
     */
    public int exitCode()
    {
        return exitCode;
    }
}
