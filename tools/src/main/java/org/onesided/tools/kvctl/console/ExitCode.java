package org.onesided.tools.kvctl.console;

/**
 * The exit codes of kvctl.
 */
public enum ExitCode
{
    /** The command succeeded. */
    DONE(0),
    /** The command failed for a reason without a code of its own, such as an unreadable file. */
    FAILED(1),
    /**
     * The command line, a key, a value, or the content of a settings, token or TLS file is invalid; nothing was done.
     */
    USAGE(2),
    /** A key, or a device of kvctl rdma, does not exist. */
    NOT_FOUND(3),
    /** The client could not connect, possibly for lack of a device; nothing was changed. */
    CANNOT_CONNECT(4),
    /** A condition did not hold, or the key's value does not allow the write; nothing was changed. */
    CONFLICT(5),
    /** The deadline passed or the server was lost: a write may have taken effect. */
    DEADLINE(6),
    /** The store is full; the failed call changed nothing. */
    STORE_FULL(7),
    /** The server's disk is full or has failed; the failed call changed nothing. */
    STORAGE_FAILED(8),
    /** Members of the cluster answer, but not all of its partitions are served now. */
    NOT_SERVED(9),
    /** The token or certificate allows lookups only; nothing was changed. */
    READ_ONLY(10);

    private final int code;

    ExitCode(final int code)
    {
        this.code = code;
    }

    /**
     * The number of the exit code.
     *
     * @return exit code of the process.
     */
    public int code()
    {
        return code;
    }
}
