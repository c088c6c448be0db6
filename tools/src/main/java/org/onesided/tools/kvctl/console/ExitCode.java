package org.onesided.tools.kvctl.console;

/**
 * What kvctl tells the shell.
 */
public enum ExitCode
{
    /** All that was asked for was done. */
    DONE(0),
    /** It failed for a reason that has no code of its own, such as a file that cannot be read. */
    FAILED(1),
    /**
     * The command line, a key, a value, or what a file of settings, of tokens or for TLS holds, is not one that can be
     * used; nothing was done.
     */
    USAGE(2),
    /** A key, or a device of kvctl rdma, is not there. */
    NOT_FOUND(3),
    /** No session could be had with the server, be it for want of a device; nothing was changed by the call. */
    CANNOT_CONNECT(4),
    /** A condition did not hold; nothing was changed. */
    CONFLICT(5),
    /** The deadline passed, or the server was lost: a write may or may not have taken effect. */
    DEADLINE(6),
    /** The store has no room; nothing was changed by the call that failed. */
    STORE_FULL(7);

    private final int code;

    ExitCode(final int code)
    {
        this.code = code;
    }

    /**
     * Accesses the number.
     *
     * @return what the process exits with.
     */
    public int code()
    {
        return code;
    }
}
