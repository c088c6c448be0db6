package org.onesided.verbs.shm;

/**
 * What fstat(2) tells of a file.
 *
 * @param userId owner.
 * @param mode   type and permissions.
 * @param length in bytes.
 */
record FileStatus(int userId, int mode, long length)
{
    private static final int TYPE_MASK = 0170000;
    private static final int PERMISSION_MASK = 0777;
    private static final int REGULAR = 0100000;
    private static final int DIRECTORY = 0040000;
    private static final int FIFO = 0010000;

    boolean isPrivateFile()
    {
        return isPrivate(REGULAR, 0600);
    }

    boolean isPrivateFifo()
    {
        return isPrivate(FIFO, 0600);
    }

    boolean isPrivateDirectory()
    {
        return isPrivate(DIRECTORY, 0700);
    }

    private boolean isPrivate(final int type, final int permissions)
    {
        return userId == Posix.userId() && (mode & TYPE_MASK) == type && (mode & PERMISSION_MASK) == permissions;
    }
}
