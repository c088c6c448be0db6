package org.onesided.verbs.shm;

import org.onesided.verbs.Errno;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.posix.FileStatus;
import org.onesided.verbs.posix.MachineMemory;
import org.onesided.verbs.posix.Posix;
import org.onesided.verbs.posix.ResidentPages;

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
     * Makes a file as {@link #create(ContextDirectory, String, long)} does, in huge pages if wanted: where the file
     * system gives such, which it does when a page is first used through a mapping that asks for them, and a length
     * was set.
     */
    static SharedMapping create(
        final ContextDirectory directory, final String name, final long length, final HugePages hugePages)
    {
        final long pageLength = MachineMemory.here().transparentHugePageLength();
        if (hugePages == HugePages.OFF || hugePages == HugePages.AUTO && length < pageLength)
        {
            return create(directory, name, length);
        }
        if (pageLength == 0 || length > Long.MAX_VALUE - pageLength)
        {
            if (hugePages == HugePages.ON)
            {
                throw noHugePages(directory, length, 0);
            }
            return create(directory, name, length);
        }
        final long fileLength =
            hugePages == HugePages.ON ? (length + pageLength - 1) / pageLength * pageLength : length;
        final int fd = directory.create(name);
        try
        {
            return createHuge(directory, name, fd, fileLength, pageLength, hugePages == HugePages.ON);
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

    private static SharedMapping createHuge(
        final ContextDirectory directory,
        final String name,
        final int fd,
        final long length,
        final long pageLength,
        final boolean always)
    {
        if (Posix.truncate(fd, length) != 0)
        {
            // It says what is full.
            directory.reserve(fd, name, length);
        }
        final SharedMapping mapping =
            new SharedMapping(Posix.mapAligned(fd, length, true, pageLength), length);
        boolean success = false;
        try
        {
            final MemoryRange range = new MemoryRange(mapping.address, length);
            // The first page tells whether the others would be huge, too: if not, they need not be made one by one.
            if (Posix.populate(mapping.address, pageLength) == 0 && ResidentPages.of(range).huge() > 0)
            {
                Posix.populate(mapping.address, length);
            }
            // What could not be made is made now, or it is an error.
            directory.reserve(fd, name, length);
            final long huge = always ? ResidentPages.of(range).huge() : length;
            if (huge < length)
            {
                throw noHugePages(directory, length, huge);
            }
            success = true;
            return mapping;
        }
        finally
        {
            if (!success)
            {
                mapping.close();
            }
        }
    }

    private static VerbsException noHugePages(
        final ContextDirectory directory, final long length, final long huge)
    {
        return new VerbsException("allocate", huge > 0 ? Errno.ENOMEM : Errno.EOPNOTSUPP,
            "shared memory does not get huge pages, allow them with 'mount -o remount,huge=advise " +
                directory.path().getParent() + "', free memory, or do without: length=" + length + " huge=" + huge);
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
        final long address = mayBeHuge ? Posix.mapAligned(fd, status.length(), writable, pageLength) :
            Posix.map(fd, status.length(), writable);
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
            Posix.unmap(address, length);
        }
    }
}
