package org.onesided.verbs.ibv;

import org.agrona.UnsafeApi;
import org.onesided.verbs.DeviceMemory;
import org.onesided.verbs.Errno;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.UseCount;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.posix.Posix;

/**
 * Anonymous private memory, all of whose pages are there from the start.
 *
 * <p>A forked child does not get it ({@code MADV_DONTFORK}): the pages that a device knows must stay this process' own,
 * where an older kernel would copy them away at the first write after a fork. Java itself starts programs by vfork or
 * posix_spawn, which copy nothing and need no care; this is for native libraries that fork. It is done here and not by
 * ibv_fork_init(3), since that would withhold all registered memory from children, also pages of the heap that hold
 * other things besides.
 */
final class IbvMemory implements DeviceMemory
{
    private static final int MADV_DONTFORK = 10;
    private static final int MADV_HUGEPAGE = 14;
    private static final int MADV_POPULATE_WRITE = 23;

    private final IbvContext context;
    private final MemoryRange mapping;
    private final MemoryRange range;
    private final boolean hugePages;
    private final UseCount uses = new UseCount("free", "the memory");

    private IbvMemory(
        final IbvContext context, final MemoryRange mapping, final long length, final boolean hugePages)
    {
        this.context = context;
        this.mapping = mapping;
        range = mapping.slice(0, length);
        this.hugePages = hugePages;
    }

    /**
     * @param context   whose use is acquired already.
     * @param length    in bytes.
     * @param hugePages whether it is to be in huge pages.
     * @return zeroed memory.
     * @throws VerbsException with {@code ENOMEM} if there is not so much, {@code EINVAL} if the length is none.
     */
    static IbvMemory allocate(final IbvContext context, final long length, final HugePages hugePages)
    {
        if (length <= 0)
        {
            throw new VerbsException("allocate", Errno.EINVAL, "length must be positive: length=" + length);
        }
        final MachineMemory machine = new MachineMemory();
        final long hugeLength = machine.hugePageLength();
        MemoryRange mapping = null;
        if (hugePages != HugePages.OFF && hugeLength > 0)
        {
            mapping = mapHuge(length, hugeLength);
        }
        final boolean isHuge = mapping != null;
        if (!isHuge)
        {
            if (hugePages == HugePages.ON)
            {
                throw noHugePages(machine, length, hugeLength);
            }
            mapping = mapUsual(machine, length, hugePages == HugePages.AUTO);
        }
        final IbvMemory memory = new IbvMemory(context, mapping, length, isHuge);
        context.memories().add(memory);
        return memory;
    }

    @Override
    public MemoryRange range()
    {
        return range;
    }

    @Override
    public boolean hugePages()
    {
        return hugePages;
    }

    @Override
    public void close()
    {
        if (context.memories().remove(this))
        {
            try
            {
                Posix.unmap(mapping.address(), mapping.length());
            }
            finally
            {
                context.uses().release();
            }
        }
    }

    UseCount uses()
    {
        return uses;
    }

    /** Null if there are too few. */
    private static MemoryRange mapHuge(final long length, final long pageLength)
    {
        final long mapped = roundUp(length, pageLength);
        if (mapped < length)
        {
            return null;
        }
        final long address = Posix.mapAnonymous(mapped, true);
        if (address < 0)
        {
            return null;
        }
        final MemoryRange mapping = new MemoryRange(address, mapped);
        return populate(mapping, pageLength) == 0 ? mapping : null;
    }

    private static MemoryRange mapUsual(
        final MachineMemory machine, final long length, final boolean adviseHugePages)
    {
        final long available = machine.available();
        if (length > available)
        {
            throw noMemory(length, available);
        }
        final long mapped = roundUp(length, UnsafeApi.pageSize());
        final long address = mapped < length ? -Errno.ENOMEM : Posix.mapAnonymous(mapped, false);
        if (address < 0)
        {
            throw noMemory(length, available);
        }
        if (adviseHugePages)
        {
            // Only advice: a kernel without transparent huge pages refuses it, and the memory is as good.
            Posix.advise(address, mapped, MADV_HUGEPAGE);
        }
        final MemoryRange mapping = new MemoryRange(address, mapped);
        if (populate(mapping, UnsafeApi.pageSize()) != 0)
        {
            throw noMemory(length, available);
        }
        return mapping;
    }

    /**
     * Makes all pages exist. MAP_POPULATE would not tell if some cannot be had, and touching one of those ends the
     * process.
     *
     * @return 0; or an errno, and then the mapping is gone.
     */
    private static int populate(final MemoryRange mapping, final long pageLength)
    {
        int errno = Posix.advise(mapping.address(), mapping.length(), MADV_DONTFORK);
        if (errno == 0)
        {
            errno = Posix.advise(mapping.address(), mapping.length(), MADV_POPULATE_WRITE);
            if (errno == -Errno.EINVAL)
            {
                // Kernels before 5.14 do not know it.
                for (long offset = 0; offset < mapping.length(); offset += pageLength)
                {
                    UnsafeApi.putByte(mapping.addressOf(offset, 1), (byte)0);
                }
                errno = 0;
            }
        }
        if (errno != 0)
        {
            Posix.unmap(mapping.address(), mapping.length());
        }
        return errno;
    }

    private static long roundUp(final long length, final long unit)
    {
        return (length + unit - 1) / unit * unit;
    }

    private static VerbsException noMemory(final long length, final long available)
    {
        return new VerbsException("allocate", Errno.ENOMEM,
            "there is not so much memory, ask for less or raise the limit of the machine or control group: length=" +
                length + " available=" + available);
    }

    private static VerbsException noHugePages(final MachineMemory machine, final long length, final long pageLength)
    {
        if (pageLength == 0)
        {
            return new VerbsException("allocate", Errno.EOPNOTSUPP,
                "this kernel has no huge pages, do without: length=" + length);
        }
        final long needed = (length - 1) / pageLength + 1;
        final long free = machine.freeHugePages();
        final long total = machine.hugePages();
        return new VerbsException("allocate", Errno.ENOMEM, String.format(
            "too few huge pages are free, reserve more with: sysctl vm.nr_hugepages=%d: " +
                "length=%d needed=%d free=%d nr_hugepages=%d page_size=%d",
            total + Math.max(1, needed - free), length, needed, free, total, pageLength));
    }
}
