package org.onesided.verbs.shm;

import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.posix.FileStatus;
import org.onesided.verbs.posix.Posix;

/**
 * A shared mapping of a whole file. The file descriptor is not kept.
 */
final class SharedMapping implements AutoCloseable
{
    private final long address;
    private final long length;
    private boolean open = true;
    private volatile boolean retired;

    private SharedMapping(final long address, final long length)
    {
        this.address = address;
        this.length = length;
    }

    /**
     * Makes a file whose blocks are all there.
     */
    static SharedMapping create(final ContextDirectory directory, final String name, final long length)
    {
        final int fd = directory.create(name);
        try
        {
            directory.reserve(fd, name, length);
            return new SharedMapping(Posix.map(fd, length, true), length);
        }
        catch (final RuntimeException ex)
        {
            Posix.unlinkAt(directory.fd(), name);
            throw ex;
        }
        finally
        {
            Posix.close(fd);
        }
    }

    /**
     * Maps a file of the own user, all of it, as long as it is now.
     */
    static SharedMapping of(final int fd, final String name, final long leastLength, final boolean writable)
    {
        final FileStatus status = Posix.status(fd);
        if (!status.isPrivateFile() || status.length() < leastLength)
        {
            throw new VerbsException("mmap", Errno.EACCES, "not a file of this user's device: file=" + name +
                " uid=" + status.userId() + " mode=" + Integer.toOctalString(status.mode()) +
                " length=" + status.length());
        }
        return new SharedMapping(Posix.map(fd, status.length(), writable), status.length());
    }

    long address()
    {
        return address;
    }

    long length()
    {
        return length;
    }

    /**
     * @return whether it is about to be unmapped: no request may begin to use it.
     */
    boolean isRetired()
    {
        return retired;
    }

    /**
     * Keeps new requests away; it can be closed once those are done that were being executed.
     */
    void retire()
    {
        retired = true;
    }

    @Override
    public void close()
    {
        if (open)
        {
            open = false;
            Posix.unmap(address, length);
        }
    }
}
