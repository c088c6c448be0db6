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
    /** No such address. */
    public static final int ENXIO = 6;
    /** Nothing there now, try again. */
    public static final int EAGAIN = 11;
    /** Out of memory, of queue room, or of objects of a kind. */
    public static final int ENOMEM = 12;
    /** Permission denied. */
    public static final int EACCES = 13;
    /** Memory that is not there, or may not be written. */
    public static final int EFAULT = 14;
    /** Still in use. */
    public static final int EBUSY = 16;
    /** No such device. */
    public static final int ENODEV = 19;
    /** Invalid argument, or not in this state. */
    public static final int EINVAL = 22;
    /** No room in the file system. */
    public static final int ENOSPC = 28;
    /** The kernel does not know this call. */
    public static final int ENOSYS = 38;
    /** Nothing there, such as no GID at an index. */
    public static final int ENODATA = 61;
    /** The device cannot do this. */
    public static final int EOPNOTSUPP = 95;
    /** Somebody else has the address. */
    public static final int EADDRINUSE = 98;
    /** This side does not have the address. */
    public static final int EADDRNOTAVAIL = 99;
    /** No route to the network. */
    public static final int ENETUNREACH = 101;
    /** No answer in time. */
    public static final int ETIMEDOUT = 110;
    /** The peer refused. */
    public static final int ECONNREFUSED = 111;
    /** No route to the host. */
    public static final int EHOSTUNREACH = 113;

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
            case ENXIO -> "ENXIO";
            case EAGAIN -> "EAGAIN";
            case ENOMEM -> "ENOMEM";
            case EACCES -> "EACCES";
            case EFAULT -> "EFAULT";
            case EBUSY -> "EBUSY";
            case ENODEV -> "ENODEV";
            case EINVAL -> "EINVAL";
            case ENOSPC -> "ENOSPC";
            case ENOSYS -> "ENOSYS";
            case ENODATA -> "ENODATA";
            case EOPNOTSUPP -> "EOPNOTSUPP";
            case EADDRINUSE -> "EADDRINUSE";
            case EADDRNOTAVAIL -> "EADDRNOTAVAIL";
            case ENETUNREACH -> "ENETUNREACH";
            case ETIMEDOUT -> "ETIMEDOUT";
            case ECONNREFUSED -> "ECONNREFUSED";
            case EHOSTUNREACH -> "EHOSTUNREACH";
            default -> "errno=" + errno;
        };
    }
}
