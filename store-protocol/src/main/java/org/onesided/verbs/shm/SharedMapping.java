package org.onesided.verbs.shm;

import org.onesided.machine.MachineMemory;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.posix.FileStatus;
import org.onesided.verbs.posix.Mappings;
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

    /**
     * @param address where it is mapped.
     * @param length  of it.
     */
    SharedMapping(final long address, final long length)
    {
        this.address = address;
        this.length = length;
    }

    /**
     * Maps a file of the own user, all of it, as long as it is now; huge pages in it are mapped as such.
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
        final long pageLength = MachineMemory.here().transparentHugePageLength();
        final boolean mayBeHuge = pageLength > 0 && status.length() >= pageLength;
        final long address = mayBeHuge ? Mappings.mapAligned(fd, status.length(), writable, pageLength) :
            Mappings.map(fd, status.length(), writable);
        return new SharedMapping(address, status.length());
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
            Mappings.unmap(address, length);
        }
    }
}
