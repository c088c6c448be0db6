package org.onesided.verbs.shm;

import org.onesided.machine.MachineMemory;
import org.onesided.verbs.Errno;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.posix.Mappings;
import org.onesided.verbs.posix.Posix;
import org.onesided.verbs.posix.ResidentPages;

/**
 * Creates and maps files of a context. A full file system is an error at creation, not at the first use of the memory.
 */
final class SharedFile
{
    private SharedFile()
    {
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
            return new SharedMapping(Mappings.map(fd, length, true), length);
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
            // The exception names what is full.
            directory.reserve(fd, name, length);
        }
        final SharedMapping mapping =
            new SharedMapping(Mappings.mapAligned(fd, length, true, pageLength), length);
        boolean success = false;
        try
        {
            final MemoryRange range = new MemoryRange(mapping.address(), length);
            // If the first page is not huge, neither are the others, which then need not be created one by one.
            if (Mappings.populate(mapping.address(), pageLength) == 0 && ResidentPages.of(range).huge() > 0)
            {
                Mappings.populate(mapping.address(), length);
            }
            // Create the remaining pages, or fail.
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

    static VerbsException noHugePages(
        final ContextDirectory directory, final long length, final long huge)
    {
        return new VerbsException("allocate", huge > 0 ? Errno.ENOMEM : Errno.EOPNOTSUPP,
            "shared memory does not get huge pages, allow them with 'mount -o remount,huge=advise " +
                directory.path().getParent() + "', free memory, or do without: length=" + length + " huge=" + huge);
    }
}
