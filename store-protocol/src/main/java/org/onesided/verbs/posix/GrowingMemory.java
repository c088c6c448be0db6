package org.onesided.verbs.posix;

import org.agrona.UnsafeApi;
import org.onesided.machine.MachineMemory;
import org.onesided.verbs.Errno;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.VerbsException;

/**
 * Private memory whose addresses are taken at once, and whose pages come piece by piece, in huge pages if wanted: in
 * reserved ones (hugetlb), or else in transparent ones. Addresses cost nothing: no access is allowed there and no
 * memory is kept for them. Thread-safe.
 */
public final class GrowingMemory implements Pages
{
    private static final int MADV_NOHUGEPAGE = 15;
    private static final int MADV_DONTFORK = 10;
    private static final int MADV_DONTNEED = 4;
    /** Reserved pages that are longer are for tables that have no others: each part of a shard begins in its own. */
    private static final long LONGEST_UNIT = 2 << 20;

    private final HugePages hugePages;
    private final long unit;
    /** Whether pages come from those that were reserved for such use, as long as there are any. */
    private final boolean isReserved;
    private final MemoryRange mapping;
    private final MemoryRange pages;
    private final MemoryRange range;
    private final boolean isKeptFromChildren;
    private final CommittedPages committed = new CommittedPages();
    private boolean open = true;

    private GrowingMemory(
        final HugePages hugePages,
        final long unit,
        final boolean isReserved,
        final MemoryRange mapping,
        final MemoryRange pages,
        final long length,
        final boolean isKeptFromChildren)
    {
        this.hugePages = hugePages;
        this.unit = unit;
        this.isReserved = isReserved;
        this.mapping = mapping;
        this.pages = pages;
        range = pages.slice(0, length);
        this.isKeptFromChildren = isKeptFromChildren;
    }

    /**
     * Takes addresses.
     *
     * @param length             in bytes.
     * @param hugePages          whether its pages are to be huge.
     * @param isKeptFromChildren whether a forked child does not get it.
     * @return the memory, without any page.
     * @throws VerbsException with {@code ENOMEM} if there are not so many addresses, {@code EINVAL} if the length is
     *                        none, {@code EOPNOTSUPP} if this machine never has huge pages, and they are wanted always.
     */
    public static GrowingMemory of(final long length, final HugePages hugePages, final boolean isKeptFromChildren)
    {
        if (length <= 0)
        {
            throw new VerbsException("allocate", Errno.EINVAL, "length must be positive: length=" + length);
        }
        final MachineMemory machine = MachineMemory.here();
        final boolean isReserved = mayUseReserved(machine, hugePages);
        final long unit = isReserved ? machine.hugePageLength() : unit(machine, hugePages);
        final long whole = -Math.floorDiv(-length, unit) * unit;
        final long mapped = whole + 2 * unit;
        final long address = whole < length || mapped < whole ? -Errno.ENOMEM : Mappings.mapAddresses(mapped);
        if (address < 0)
        {
            throw new VerbsException("allocate", (int)-address,
                "not enough addresses, ask for less or raise the limit of addresses (ulimit -v): length=" +
                    length);
        }
        final long start = -Math.floorDiv(-address - UnsafeApi.pageSize(), unit) * unit;
        return new GrowingMemory(hugePages, unit, isReserved, new MemoryRange(address, mapped),
            new MemoryRange(start, whole), length, isKeptFromChildren);
    }

    /** Whether pages come from those that were reserved for such use, as long as there are any. */
    static boolean mayUseReserved(final MachineMemory machine, final HugePages hugePages)
    {
        final long length = machine.hugePageLength();
        return hugePages != HugePages.OFF && length > 0 && machine.freeHugePages() > 0 &&
            (length <= LONGEST_UNIT || hugePages == HugePages.ON && !isTransparent(machine));
    }

    /** Length of a page where none are reserved. */
    static long unit(final MachineMemory machine, final HugePages hugePages)
    {
        if (hugePages == HugePages.ON && machine.transparentHugePageLength() == 0 && machine.hugePageLength() == 0)
        {
            throw new VerbsException("allocate", Errno.EOPNOTSUPP, "this kernel gives no huge pages, do without");
        }
        final boolean isHuge = machine.transparentHugePageLength() > 0 &&
            (hugePages == HugePages.ON || hugePages == HugePages.AUTO && isTransparent(machine));
        return isHuge ? machine.transparentHugePageLength() : UnsafeApi.pageSize();
    }

    private static boolean isTransparent(final MachineMemory machine)
    {
        return machine.transparentHugePageLength() > 0 &&
            !"never".equals(machine.transparentHugePages()) && !"none".equals(machine.transparentHugePages());
    }

    @Override
    public MemoryRange range()
    {
        return range;
    }

    /**
     * As {@link org.onesided.verbs.GrowableMemory#commit}.
     *
     * @param offset of the piece from the start, in bytes.
     * @param length of the piece in bytes.
     */
    public void commit(final long offset, final long length)
    {
        range.addressOf(offset, length);
        committed.commit(offset, length, unit, pages.length(), this::make);
    }

    /**
     * As {@link org.onesided.verbs.GrowableMemory#checkGrowth}. Reserved huge pages are not the machine's free memory.
     *
     * @param length in bytes.
     */
    public void checkGrowth(final long length)
    {
        if (!isReserved)
        {
            MemoryAllowance.here().checkGrowth(length);
        }
    }

    /**
     * As {@link org.onesided.verbs.GrowableMemory#release}.
     *
     * @param offset of the piece from the start, in bytes.
     * @param length of the piece in bytes.
     */
    public void release(final long offset, final long length)
    {
        range.addressOf(offset, length);
        committed.release(offset, length, unit, (piece) -> drop(pages.slice(piece.address(), piece.length())));
    }

    /**
     * Access stays allowed: for a peer that breaks the rules, a device may read there for a moment. It gets zeros. A
     * process that may not have more mappings gives pages back that stay mapped.
     */
    private static int drop(final MemoryRange piece)
    {
        final int result = Mappings.mapAnonymousAt(piece.address(), piece.length(), true);
        return result == 0 ? 0 : Mappings.advise(piece.address(), piece.length(), MADV_DONTNEED);
    }

    /**
     * @return bytes that exist.
     */
    public long committed()
    {
        return committed.bytes();
    }

    /**
     * As {@link org.onesided.verbs.GrowableMemory#kept}.
     *
     * @return bytes.
     */
    public long kept()
    {
        return committed.kept();
    }

    @Override
    public boolean hugePages()
    {
        return ResidentPages.of(pages).areMostlyHuge();
    }

    @Override
    public synchronized void close()
    {
        if (open)
        {
            open = false;
            Mappings.unmap(mapping.address(), mapping.length());
        }
    }

    private void make(final MemoryRange offsets)
    {
        final MemoryRange piece = pages.slice(offsets.address(), offsets.length());
        boolean success = false;
        try
        {
            if (!isReserved || !makeReserved(piece))
            {
                if (isReserved && hugePages == HugePages.ON)
                {
                    throw tooFewHugePages(piece.length());
                }
                MemoryAllowance.here().checkGrowth(piece.length());
                makeUsual(piece);
            }
            keepFromChildren(piece);
            success = true;
        }
        finally
        {
            if (!success)
            {
                Mappings.dropPages(piece.address(), piece.length());
            }
        }
    }

    /**
     * Maps reserved pages. There must be enough before any is used, or a kernel that cannot populate would end the
     * process at the first that is missing. Asks elsewhere first: a mapping that fails leaves its addresses free.
     */
    private boolean makeReserved(final MemoryRange piece)
    {
        final long probe = Mappings.mapAnonymous(piece.length(), true);
        if (probe < 0)
        {
            return false;
        }
        Mappings.unmap(probe, piece.length());
        if (Mappings.mapHugeAt(piece.address(), piece.length()) == 0 && populate(piece, unit) == 0)
        {
            return true;
        }
        Mappings.dropPages(piece.address(), piece.length());
        return false;
    }

    private void keepFromChildren(final MemoryRange piece)
    {
        final int errno = isKeptFromChildren ?
            -Mappings.advise(piece.address(), piece.length(), MADV_DONTFORK) : 0;
        if (errno != 0)
        {
            throw new VerbsException(
                "allocate", errno, "cannot keep memory from children: length=" + piece.length());
        }
    }

    private void makeUsual(final MemoryRange piece)
    {
        int errno = -Mappings.mapAnonymousAt(piece.address(), piece.length(), false);
        if (errno == 0)
        {
            // Only advice: a kernel without transparent huge pages refuses it, and the memory is as good.
            Mappings.advise(piece.address(), piece.length(),
                hugePages == HugePages.OFF ? MADV_NOHUGEPAGE : Mappings.MADV_HUGEPAGE);
            errno = populate(piece, UnsafeApi.pageSize());
        }
        if (errno != 0)
        {
            throw new VerbsException("allocate", Errno.ENOMEM,
                "not enough memory, ask for less or raise the limit of the machine or control group: " +
                    "length=" + piece.length() + " available=" + MachineMemory.here().available() +
                    " reason=" + Errno.name(errno));
        }
        if (hugePages == HugePages.ON && ResidentPages.of(piece).huge() < piece.length())
        {
            throw tooFewHugePages(piece.length());
        }
    }

    private VerbsException tooFewHugePages(final long length)
    {
        final MachineMemory machine = MachineMemory.here();
        final long pageLength = Math.max(1, machine.hugePageLength());
        final long needed = (length - 1) / pageLength + 1;
        final long free = machine.freeHugePages();
        final long total = machine.hugePages();
        return new VerbsException("allocate", Errno.ENOMEM, String.format(
            "too few huge pages are free, reserve more with: sysctl vm.nr_hugepages=%d: " +
                "length=%d needed=%d free=%d nr_hugepages=%d page_size=%d transparent=%s",
            total + Math.max(1, needed - free), length, needed, free, total, pageLength,
            machine.transparentHugePages()));
    }

    /** Makes all pages exist, and returns an errno or 0. */
    private static int populate(final MemoryRange piece, final long pageLength)
    {
        final int errno = -Mappings.populate(piece.address(), piece.length());
        if (errno == Errno.EINVAL)
        {
            // Kernels before 5.14 do not know it.
            for (long offset = 0; offset < piece.length(); offset += pageLength)
            {
                UnsafeApi.putByte(piece.addressOf(offset, 1), (byte)0);
            }
            return 0;
        }
        return errno;
    }
}
