package org.onesided.verbs.posix;

import static org.onesided.verbs.posix.CLibrary.errno;
import static org.onesided.verbs.posix.CLibrary.retried;

import org.agrona.UnsafeApi;
import org.onesided.verbs.VerbsException;

/**
 * Mappings of files and memory, by the C library. Results are checked as those of {@link Posix} are.
 */
public final class Mappings
{
    /** See madvise(2). */
    public static final int MADV_HUGEPAGE = 14;

    private static final int PROT_READ = 1;
    private static final int PROT_WRITE = 2;
    private static final int MAP_SHARED = 1;
    private static final int MAP_PRIVATE = 2;
    private static final int MAP_ANONYMOUS = 0x20;
    private static final int MAP_FIXED = 0x10;
    private static final int MAP_NORESERVE = 0x4000;
    private static final int MAP_HUGETLB = 0x4_0000;
    private static final int PROT_NONE = 0;
    private static final int MADV_POPULATE_WRITE = 23;
    private static final int NO_FILE = -1;

    private Mappings()
    {
    }

    /**
     * Maps a file, shared.
     *
     * @param fd       file descriptor.
     * @param length   in bytes.
     * @param writable or read-only.
     * @return address.
     * @throws VerbsException if it cannot be mapped.
     */
    public static long map(final int fd, final long length, final boolean writable)
    {
        final long address =
            PosixCalls.mmap(0, length, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, fd, 0);
        if (address == -1)
        {
            throw new VerbsException("mmap", errno(), "cannot map shared memory: length=" + length);
        }
        return address;
    }

    /**
     * Maps a file, shared, such that its huge pages are mapped as such: by an address that is a multiple of their
     * length. Asks for huge pages where the file has none yet.
     *
     * @param fd         file descriptor.
     * @param length     in bytes.
     * @param writable   or read-only.
     * @param pageLength length of a huge page in bytes.
     * @return address.
     * @throws VerbsException if it cannot be mapped.
     */
    public static long mapAligned(final int fd, final long length, final boolean writable, final long pageLength)
    {
        final long whole = -Math.floorDiv(-length, (long)UnsafeApi.pageSize()) * UnsafeApi.pageSize();
        final long taken = mapAddresses(whole + pageLength);
        if (taken < 0)
        {
            throw new VerbsException("mmap", (int)-taken, "cannot map shared memory: length=" + length);
        }
        final long address = -Math.floorDiv(-taken, pageLength) * pageLength;
        final int protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
        if (PosixCalls.mmap(address, length, protection, MAP_SHARED | MAP_FIXED, fd, 0) == -1)
        {
            final int errno = errno();
            unmap(taken, whole + pageLength);
            throw new VerbsException("mmap", errno, "cannot map shared memory: length=" + length);
        }
        if (address > taken)
        {
            unmap(taken, address - taken);
        }
        if (address < taken + pageLength)
        {
            unmap(address + whole, taken + pageLength - address);
        }
        // This is only advice, so failures do not matter.
        advise(address, length, MADV_HUGEPAGE);
        return address;
    }

    /**
     * Makes all pages of a writable mapping exist, in huge pages where the kernel was told to and can.
     *
     * @param address of whole pages.
     * @param length  in bytes.
     * @return 0 or a negative errno: {@code EINVAL} if the kernel does not know how, being older than 5.14.
     */
    public static int populate(final long address, final long length)
    {
        return advise(address, length, MADV_POPULATE_WRITE);
    }

    /**
     * Maps zeroed memory of the process' own.
     *
     * @param length    in bytes; a multiple of the page length.
     * @param hugePages whether to use huge pages, which are reserved at once.
     * @return address or a negative errno.
     */
    public static long mapAnonymous(final long length, final boolean hugePages)
    {
        final int flags = MAP_PRIVATE | MAP_ANONYMOUS | (hugePages ? MAP_HUGETLB : 0);
        final long address = PosixCalls.mmap(0, length, PROT_READ | PROT_WRITE, flags, NO_FILE, 0);
        return address != -1 ? address : -errno();
    }

    /**
     * Takes addresses for mappings that are made there later.
     *
     * @param length in bytes; a multiple of the page length.
     * @return address or a negative errno.
     */
    public static long mapAddresses(final long length)
    {
        final int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
        final long address = PosixCalls.mmap(0, length, PROT_NONE, flags, NO_FILE, 0);
        return address != -1 ? address : -errno();
    }

    /**
     * Maps zeroed memory of the process' own, in place of what is there.
     *
     * @param address    of pages that were taken with {@link #mapAddresses}.
     * @param length     in bytes; a multiple of the page length.
     * @param overcommit whether it may be more than the machine has.
     * @return 0 or a negative errno.
     */
    public static int mapAnonymousAt(final long address, final long length, final boolean overcommit)
    {
        final int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | (overcommit ? MAP_NORESERVE : 0);
        return PosixCalls.mmap(address, length, PROT_READ | PROT_WRITE, flags, NO_FILE, 0) != -1 ? 0 : -errno();
    }

    /**
     * Maps zeroed huge pages of the process' own, which are reserved at once, in place of what is there.
     *
     * @param address of pages that were taken with {@link #mapAddresses}, a multiple of a huge page.
     * @param length  in bytes; a multiple of a huge page.
     * @return 0 or a negative errno; then nothing may be mapped there any more.
     */
    public static int mapHugeAt(final long address, final long length)
    {
        final int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_HUGETLB;
        return PosixCalls.mmap(address, length, PROT_READ | PROT_WRITE, flags, NO_FILE, 0) != -1 ? 0 : -errno();
    }

    /**
     * Gives pages back, and keeps their addresses as {@link #mapAddresses} does.
     *
     * @param address of whole pages.
     * @param length  in bytes.
     * @return 0 or a negative errno.
     */
    public static int dropPages(final long address, final long length)
    {
        final int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE;
        return PosixCalls.mmap(address, length, PROT_NONE, flags, NO_FILE, 0) != -1 ? 0 : -errno();
    }

    /**
     * Advises the kernel how to treat memory (madvise(2)).
     *
     * @param address of whole pages.
     * @param length  in bytes.
     * @param advice  one of the kernel's numbers.
     * @return 0 or a negative errno.
     */
    public static int advise(final long address, final long length, final int advice)
    {
        return retried(() -> PosixCalls.madvise(address, length, advice));
    }

    /**
     * @param address of a mapping.
     * @param length  in bytes.
     * @throws VerbsException if that is no mapping.
     */
    public static void unmap(final long address, final long length)
    {
        if (PosixCalls.munmap(address, length) != 0)
        {
            throw new VerbsException("munmap", errno(), String.format("address=0x%x length=%d", address, length));
        }
    }
}
