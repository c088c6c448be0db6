package org.onesided.verbs.shm;

import org.agrona.UnsafeApi;
import org.onesided.machine.MachineMemory;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.posix.CommittedPages;
import org.onesided.verbs.posix.Mappings;
import org.onesided.verbs.posix.MemoryAllowance;
import org.onesided.verbs.posix.Posix;
import org.onesided.verbs.posix.ResidentPages;

/**
 * A mapped file of a context that has its whole length from the start, but no blocks. They come piece by piece. A full
 * file system is an error then, not when the memory is used. Thread-safe.
 */
final class SparseFile implements AutoCloseable
{
    private static final long MAPPED_AT_ONCE = 4 << 20;

    private final ContextDirectory directory;
    private final String name;
    private final int fd;
    private final SharedMapping mapping;
    private final boolean isHugeOnly;
    private final CommittedPages committed = new CommittedPages();
    /** Length of the pages that it is made of; huge ones until it is known that there are none. */
    private volatile long unit;
    private boolean isProbed;

    private SparseFile(
        final ContextDirectory directory,
        final String name,
        final int fd,
        final SharedMapping mapping,
        final long unit,
        final boolean isHugeOnly)
    {
        this.directory = directory;
        this.name = name;
        this.fd = fd;
        this.mapping = mapping;
        this.unit = unit;
        this.isHugeOnly = isHugeOnly;
    }

    static SparseFile create(
        final ContextDirectory directory, final String name, final long length, final HugePages hugePages)
    {
        final long huge = MachineMemory.here().transparentHugePageLength();
        if (hugePages == HugePages.ON && huge == 0)
        {
            throw SharedFile.noHugePages(directory, length, 0);
        }
        final boolean mayBeHuge = hugePages != HugePages.OFF && huge > 0;
        final long unit = mayBeHuge ? huge : UnsafeApi.pageSize();
        final long fileLength = -Math.floorDiv(-length, unit) * unit;
        final int fd = directory.create(name);
        boolean success = false;
        try
        {
            if (fileLength < length || Posix.truncate(fd, fileLength) != 0)
            {
                // It says what is full.
                directory.reserve(fd, name, length);
            }
            final long address = mayBeHuge ?
                Mappings.mapAligned(fd, fileLength, true, unit) : Mappings.map(fd, fileLength, true);
            final SparseFile file = new SparseFile(directory, name, fd, new SharedMapping(address, fileLength), unit,
                hugePages == HugePages.ON);
            success = true;
            return file;
        }
        finally
        {
            if (!success)
            {
                directory.unlink(name);
                Posix.close(fd);
            }
        }
    }

    SharedMapping mapping()
    {
        return mapping;
    }

    void commit(final long offset, final long length)
    {
        committed.commit(offset, length, unit, mapping.length(), this::make);
    }

    /** Huge pages that it shares with others stay. */
    void release(final long offset, final long length)
    {
        committed.release(offset, length, unit, (piece) -> Posix.punch(fd, piece.address(), piece.length()));
    }

    void checkGrowth(final long length)
    {
        MemoryAllowance.here().checkGrowth(length);
        directory.checkGrowth(name, length);
    }

    long committed()
    {
        return committed.bytes();
    }

    long kept()
    {
        return committed.kept();
    }

    /** The mapping is closed by its owner. */
    @Override
    public void close()
    {
        Posix.close(fd);
    }

    /** Called by one thread at a time. */
    private void make(final MemoryRange offsets)
    {
        final long offset = offsets.address();
        final long length = offsets.length();
        checkGrowth(length);
        boolean success = false;
        try
        {
            final long address = mapping.address() + offset;
            if (unit > UnsafeApi.pageSize() && probeHuge(address))
            {
                Mappings.populate(address, length);
            }
            // Creates the pages that could not be created before, or fails.
            directory.reserve(fd, name, offset, length);
            map(address, length);
            if (isHugeOnly)
            {
                final long huge = ResidentPages.of(new MemoryRange(mapping.address(), mapping.length())).huge();
                if (huge < committed.bytes() + length)
                {
                    throw SharedFile.noHugePages(directory, length, huge);
                }
            }
            success = true;
        }
        finally
        {
            if (!success)
            {
                Posix.punch(fd, offset, length);
            }
        }
    }

    /**
     * Maps pages, so that no thread of this process takes a page fault at each of them later, which costs several times
     * as much. If the kernel cannot do it, those page faults are all that follows. The call works in pieces, since
     * other calls that change mappings wait meanwhile.
     */
    private static void map(final long address, final long length)
    {
        for (long done = 0; done < length; done += MAPPED_AT_ONCE)
        {
            if (Mappings.populate(address + done, Math.min(MAPPED_AT_ONCE, length - done)) != 0)
            {
                return;
            }
        }
    }

    /** Creates the first page, which tells whether the others are huge, too: if not, they need not be so long. */
    private boolean probeHuge(final long address)
    {
        if (!isProbed)
        {
            isProbed = true;
            if (!isHugeOnly && (Mappings.populate(address, unit) != 0 ||
                ResidentPages.of(new MemoryRange(address, unit)).huge() == 0))
            {
                unit = UnsafeApi.pageSize();
            }
        }
        return unit > UnsafeApi.pageSize();
    }
}
