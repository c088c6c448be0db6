package org.onesided.verbs.posix;

/**
 * The result of fstat(2).
 *
 * @param userId owner.
 * @param mode   type and permissions.
 * @param length in bytes.
 */
public record FileStatus(int userId, int mode, long length)
{
    private static final int TYPE_MASK = 0170000;
    private static final int PERMISSION_MASK = 0777;
    private static final int REGULAR = 0100000;
    private static final int DIRECTORY = 0040000;
    private static final int FIFO = 0010000;

    /**
     * @return whether it is a regular file that only this user may use.
     */
    public boolean isPrivateFile()
    {
        return isPrivate(REGULAR, 0600);
    }

    /**
     * @return whether it is a FIFO that only this user may use.
     */
    public boolean isPrivateFifo()
    {
        return isPrivate(FIFO, 0600);
    }

    /**
     * @return whether it is a directory that only this user may use.
     */
    public boolean isPrivateDirectory()
    {
        return isPrivate(DIRECTORY, 0700);
    }

    private boolean isPrivate(final int type, final int permissions)
    {
        return userId == PosixCalls.getuid() &&
            (mode & TYPE_MASK) == type && (mode & PERMISSION_MASK) == permissions;
    }
}
