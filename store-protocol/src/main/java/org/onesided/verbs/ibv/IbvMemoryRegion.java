package org.onesided.verbs.ibv;

import java.util.List;
import org.agrona.UnsafeApi;
import org.onesided.verbs.Access;
import org.onesided.verbs.Errno;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.UseCount;
import org.onesided.verbs.VerbsException;

/**
 * A memory region of libibverbs.
 */
final class IbvMemoryRegion implements MemoryRegion
{
    private final NativeDomain domain;
    private final MemoryRange range;
    private final int access;
    private final List<UseCount> memories;
    private final long handle;
    private final int localKey;
    private final int remoteKey;
    private final UseCount uses = new UseCount("dereg_mr", "the memory region");

    /**
     * @param domain   whose use is acquired already.
     * @param range    to register.
     * @param access   checked flags.
     * @param memories that the range touches, their uses acquired already.
     */
    IbvMemoryRegion(
        final NativeDomain domain, final MemoryRange range, final int access, final List<UseCount> memories)
    {
        this.domain = domain;
        this.range = range;
        this.access = access;
        this.memories = memories;
        final NativeContext context = domain.context();
        final boolean isZeroBased = (access & Access.ZERO_BASED) != 0;
        if (isZeroBased && range.address() % UnsafeApi.pageSize() != 0)
        {
            throw new VerbsException("reg_mr", Errno.EINVAL, String.format(
                "a zero-based region must begin with a page: address=0x%x page_size=%d",
                range.address(), UnsafeApi.pageSize()));
        }
        // To libibverbs a region is zero-based by the address it is to be known by; the flag itself is an old one.
        handle = context.library().calls().ibv_reg_mr_iova2(
            domain.handle(), range.address(), range.length(), isZeroBased ? 0 : range.address(),
            access & ~Access.ZERO_BASED);
        if (handle == 0)
        {
            throw IbvErrors.failure("reg_mr", context.library().errno(), String.format(
                "device=%s address=0x%x length=%d access=0x%x",
                context.device().name(), range.address(), range.length(), access), range.length());
        }
        new MadeCheck("reg_mr", handle)
            .address("ibv_mr.context", MemoryRegionDescriptor.CONTEXT_OFFSET, context.handle())
            .address("ibv_mr.pd", MemoryRegionDescriptor.PD_OFFSET, domain.handle())
            .address("ibv_mr.addr", MemoryRegionDescriptor.ADDR_OFFSET, range.address())
            .address("ibv_mr.length", MemoryRegionDescriptor.LENGTH_OFFSET, range.length())
            .orUndo(() -> context.library().calls().ibv_dereg_mr(handle));
        localKey = UnsafeApi.getInt(handle + MemoryRegionDescriptor.LKEY_OFFSET);
        remoteKey = UnsafeApi.getInt(handle + MemoryRegionDescriptor.RKEY_OFFSET);
    }

    @Override
    public MemoryRange range()
    {
        return range;
    }

    @Override
    public int access()
    {
        return access;
    }

    @Override
    public int localKey()
    {
        return localKey;
    }

    @Override
    public int remoteKey()
    {
        return remoteKey;
    }

    @Override
    public void close()
    {
        if (uses.close())
        {
            final NativeContext context = domain.context();
            final int errno = context.library().calls().ibv_dereg_mr(handle);
            domain.uses().release();
            memories.forEach(UseCount::release);
            if (errno != 0)
            {
                throw IbvErrors.failure("dereg_mr", errno, String.format(
                    "device=%s address=0x%x length=%d", context.device().name(), range.address(), range.length()));
            }
        }
    }
}
