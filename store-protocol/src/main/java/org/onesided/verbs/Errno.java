package org.onesided.verbs;

/**
 * The error numbers that verbs return, with Linux' values (errno(3)).
 */
public final class Errno
{
    /** Operation not permitted. */
    public static final int EPERM = 1;
    /** No such file, device or object. */
    public static final int ENOENT = 2;
    /** Interrupted. */
    public static final int EINTR = 4;
    /** Input or output error. */
    public static final int EIO = 5;
    /** Nothing there now, try again. */
    public static final int EAGAIN = 11;
    /** Out of memory, of queue room, or of objects of a kind. */
    public static final int ENOMEM = 12;
    /** Permission denied. */
    public static final int EACCES = 13;
    /** Still in use. */
    public static final int EBUSY = 16;
    /** No such device. */
    public static final int ENODEV = 19;
    /** Invalid argument, or not in this state. */
    public static final int EINVAL = 22;
    /** No room in the file system. */
    public static final int ENOSPC = 28;
    /** The device cannot do this. */
    public static final int EOPNOTSUPP = 95;
    /** The peer refused. */
    public static final int ECONNREFUSED = 111;

    private Errno()
    {
    }

    /**
     * @param errno a positive error number.
     * @return its symbolic name, or {@code errno=N} for one not listed here.
     */
    public static String name(final int errno)
    {
        return switch (errno)
        {
            case EPERM -> "EPERM";
            case ENOENT -> "ENOENT";
            case EINTR -> "EINTR";
            case EIO -> "EIO";
            case EAGAIN -> "EAGAIN";
            case ENOMEM -> "ENOMEM";
            case EACCES -> "EACCES";
            case EBUSY -> "EBUSY";
            case ENODEV -> "ENODEV";
            case EINVAL -> "EINVAL";
            case ENOSPC -> "ENOSPC";
            case EOPNOTSUPP -> "EOPNOTSUPP";
            case ECONNREFUSED -> "ECONNREFUSED";
            default -> "errno=" + errno;
        };
    }
}
