package org.onesided.verbs.posix;

import org.agrona.UnsafeApi;
import org.onesided.machine.MachineMemory;
import org.onesided.verbs.Errno;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.VerbsException;

/**
 * Anonymous zeroed memory of this process alone. Huge pages, if wanted, are reserved ones (hugetlb) or else transparent
 * ones. Not thread-safe.
 */
public final class PrivateMemory implements Pages
{
    private static final int MADV_NOHUGEPAGE = 15;

    private final MemoryRange mapping;
    private final MemoryRange usable;
    private final MemoryRange range;
    private boolean open = true;

    /**
     * @param mapping all that is mapped.
     * @param usable  the pages of it that can be used.
     * @param length  in bytes, that were asked for.
     */
    private PrivateMemory(final MemoryRange mapping, final MemoryRange usable, final long length)
    {
        this.mapping = mapping;
        this.usable = usable;
        range = usable.slice(0, length);
    }

    /**
     * Gets memory whose pages come into being when they are first used, except reserved huge pages and those that are
     * wanted always: these exist at once, since nothing else proves that they can be had.
     *
     * @param length    in bytes.
     * @param hugePages whether it is to be in huge pages; {@code AUTO} takes none for less than one of them.
     * @return the memory.
     * @throws VerbsException with {@code ENOMEM} if there is not so much, or not in huge pages though they are wanted
     *                        always; {@code EINVAL} if the length is none.
     */
    public static PrivateMemory reserve(final long length, final HugePages hugePages)
    {
        return map("reserve", length, hugePages, false, false);
    }

    /**
     * Gets memory whose pages all exist at once.
     *
     * @param length    in bytes.
     * @param hugePages whether it is to be in huge pages; {@code AUTO} takes none for less than one of them.
     * @return the memory.
     * @throws VerbsException with {@code ENOMEM} if there is not so much, or not in huge pages though they are wanted
     *                        always; {@code EINVAL} if the length is none.
     */
    public static PrivateMemory allocate(final long length, final HugePages hugePages)
    {
        return map("allocate", length, hugePages, true, true);
    }

    /**
     * As {@link #allocate}, but the pages of a short piece come into being when they are first used: a client's buffers
     * for one session are longer than most sessions ever need. Whether there is so much memory is checked all the same.
     *
     * @param length     in bytes.
     * @param hugePages whether it is to be in huge pages; {@code AUTO} takes none for less than one of them.
     * @return the memory.
     * @throws VerbsException as {@link #allocate} does.
     */
    public static PrivateMemory allocateAsUsed(final long length, final HugePages hugePages)
    {
        return map("allocate", length, hugePages, true, length > MemoryAllowance.SMALL_LENGTH);
    }

    @Override
    public MemoryRange range()
    {
        return range;
    }

    /**
     * @return all pages that it is in.
     */
    public MemoryRange pages()
    {
        return usable;
    }

    @Override
    public boolean hugePages()
    {
        return ResidentPages.of(usable).areMostlyHuge();
    }

    @Override
    public void close()
    {
        if (open)
        {
            open = false;
            Mappings.unmap(mapping.address(), mapping.length());
        }
    }

    private static PrivateMemory map(
        final String verb, final long length, final HugePages hugePages, final boolean check, final boolean populate)
    {
        if (length <= 0)
        {
            throw new VerbsException(verb, Errno.EINVAL, "length must be positive: length=" + length);
        }
        final MachineMemory machine = MachineMemory.here();
        final PrivateMemory reserved = mapReserved(machine.hugePageLength(), length, hugePages);
        if (reserved != null)
        {
            return reserved;
        }
        if ((check || hugePages == HugePages.ON) && !MemoryAllowance.here().permits(length))
        {
            throw noMemory(verb, length);
        }
        final long pageLength = machine.transparentHugePageLength();
        if (hugePages == HugePages.ON)
        {
            final PrivateMemory memory = pageLength == 0 ? null : mapTransparent(length, pageLength);
            if (memory == null)
            {
                throw noHugePages(verb, machine, length);
            }
            return memory;
        }
        final long unit = length < pageLength ? UnsafeApi.pageSize() : Math.max(pageLength, UnsafeApi.pageSize());
        final PrivateMemory memory = mapPages(length, UnsafeApi.pageSize(), unit, !check);
        if (memory == null)
        {
            throw noMemory(verb, length);
        }
        if (unit == pageLength)
        {
            // This is only advice. A kernel without transparent huge pages refuses it, and the memory works all the
            // same.
            memory.advise(hugePages == HugePages.AUTO ? Mappings.MADV_HUGEPAGE : MADV_NOHUGEPAGE);
            if (hugePages == HugePages.AUTO)
            {
                // The first page shows whether the kernel follows the advice.
                UnsafeApi.putByte(memory.usable.address(), (byte)0);
            }
        }
        if (populate && !memory.populate(UnsafeApi.pageSize()))
        {
            memory.close();
            throw noMemory(verb, length);
        }
        return memory;
    }

    /** Memory in reserved huge pages; null if there are too few, or they are off. */
    private static PrivateMemory mapReserved(final long pageLength, final long length, final HugePages hugePages)
    {
        if (hugePages == HugePages.OFF || pageLength == 0 || hugePages == HugePages.AUTO && length < pageLength)
        {
            return null;
        }
        final long mapped = roundUp(length, pageLength);
        final long address = mapped < length ? -Errno.ENOMEM : Mappings.mapAnonymous(mapped, true);
        if (address < 0)
        {
            return null;
        }
        final MemoryRange mapping = new MemoryRange(address, mapped);
        final PrivateMemory memory = new PrivateMemory(mapping, mapping, length);
        // The kernel keeps these pages for the mapping; but a control group may yet refuse one, at its first use and
        // by ending the process.
        if (!memory.populate(pageLength))
        {
            memory.close();
            return null;
        }
        return memory;
    }

    /** Memory entirely in transparent huge pages; null if the kernel does not provide them. */
    private static PrivateMemory mapTransparent(final long length, final long pageLength)
    {
        final PrivateMemory memory = mapPages(length, pageLength, pageLength, false);
        if (memory != null && memory.advise(Mappings.MADV_HUGEPAGE) && memory.populate(pageLength) &&
            ResidentPages.of(memory.usable).huge() >= memory.usable.length())
        {
            return memory;
        }
        if (memory != null)
        {
            memory.close();
        }
        return null;
    }

    /**
     * Maps usual pages between two that cannot be used, so that the kernel does not join the mapping with others, of
     * which it would then tell as well.
     *
     * @return null if there is no room.
     */
    private static PrivateMemory mapPages(
        final long length, final long pageLength, final long alignment, final boolean overcommit)
    {
        final long usable = roundUp(length, pageLength);
        final long mapped = roundUp(length, alignment) + 2 * alignment;
        final long address = usable < length || mapped < usable ? -Errno.ENOMEM : Mappings.mapAddresses(mapped);
        if (address < 0)
        {
            return null;
        }
        final long start = roundUp(address + UnsafeApi.pageSize(), alignment);
        if (Mappings.mapAnonymousAt(start, usable, overcommit) != 0)
        {
            Mappings.unmap(address, mapped);
            return null;
        }
        return new PrivateMemory(new MemoryRange(address, mapped), new MemoryRange(start, usable), length);
    }

    private boolean advise(final int advice)
    {
        return Mappings.advise(usable.address(), usable.length(), advice) == 0;
    }

    /**
     * Makes all pages exist. MAP_POPULATE would not tell if some cannot be had, and touching one of those ends the
     * process.
     */
    private boolean populate(final long pageLength)
    {
        final int errno = -Mappings.populate(usable.address(), usable.length());
        if (errno == Errno.EINVAL)
        {
            // Kernels before 5.14 do not support this.
            for (long offset = 0; offset < usable.length(); offset += pageLength)
            {
                UnsafeApi.putByte(usable.addressOf(offset, 1), (byte)0);
            }
            return true;
        }
        return errno == 0;
    }

    private static long roundUp(final long length, final long unit)
    {
        return (length + unit - 1) / unit * unit;
    }

    private static VerbsException noMemory(final String verb, final long length)
    {
        return new VerbsException(verb, Errno.ENOMEM,
            "not enough memory, ask for less or raise the limit of the machine or control group: length=" +
                length + " available=" + MachineMemory.here().available());
    }

    private static VerbsException noHugePages(final String verb, final MachineMemory machine, final long length)
    {
        final long pageLength = machine.hugePageLength();
        if (pageLength == 0)
        {
            return new VerbsException(verb, Errno.EOPNOTSUPP,
                "this kernel gives no huge pages, do without: length=" + length);
        }
        final long needed = (length - 1) / pageLength + 1;
        final long free = machine.freeHugePages();
        final long total = machine.hugePages();
        return new VerbsException(verb, Errno.ENOMEM, String.format(
            "too few huge pages are free, reserve more with: sysctl vm.nr_hugepages=%d: " +
                "length=%d needed=%d free=%d nr_hugepages=%d page_size=%d transparent=%s",
            total + Math.max(1, needed - free), length, needed, free, total, pageLength,
            machine.transparentHugePages()));
    }
}
