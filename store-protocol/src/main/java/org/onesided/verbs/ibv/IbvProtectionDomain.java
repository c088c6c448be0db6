package org.onesided.verbs.ibv;

import java.util.List;
import java.util.function.Supplier;
import org.onesided.verbs.Access;
import org.onesided.verbs.Context;
import org.onesided.verbs.DeviceAttributes;
import org.onesided.verbs.Errno;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.QueuePairInitAttributes;
import org.onesided.verbs.SharedReceiveQueue;
import org.onesided.verbs.UseCount;
import org.onesided.verbs.VerbsException;

/**
 * A protection domain of libibverbs.
 */
final class IbvProtectionDomain implements ProtectionDomain
{
    private static final int ALL_ACCESS =
        Access.LOCAL_WRITE | Access.REMOTE_ANY | Access.MW_BIND | Access.ZERO_BASED | Access.ON_DEMAND |
            Access.HUGETLB | Access.RELAXED_ORDERING;

    private final Context context;
    private final NativeContext nativeContext;
    private final IbvMemories memories;
    private final NativeDomain domain;

    /**
     * @param context       it belongs to.
     * @param nativeContext whose use is acquired already.
     * @param memories      of the context.
     */
    IbvProtectionDomain(final Context context, final NativeContext nativeContext, final IbvMemories memories)
    {
        this.context = context;
        this.nativeContext = nativeContext;
        this.memories = memories;
        final IbvLibrary library = nativeContext.library();
        final long handle = library.calls().ibv_alloc_pd(nativeContext.handle());
        if (handle == 0)
        {
            throw IbvErrors.failure("alloc_pd", library.errno(), "device=" + nativeContext.device().name());
        }
        new MadeCheck("alloc_pd", handle)
            .address("ibv_pd.context", ProtectionDomainDescriptor.CONTEXT_OFFSET, nativeContext.handle())
            .orUndo(() -> library.calls().ibv_dealloc_pd(handle));
        domain = new NativeDomain(nativeContext, handle, new UseCount("dealloc_pd", "the protection domain"));
    }

    @Override
    public Context context()
    {
        return context;
    }

    @Override
    public MemoryRegion register(final MemoryRange range, final int access)
    {
        check(range, access);
        return used(() ->
        {
            final List<UseCount> touched = memories.acquire(range);
            boolean success = false;
            try
            {
                final MemoryRegion region = new IbvMemoryRegion(domain, range, access, touched);
                success = true;
                return region;
            }
            finally
            {
                if (!success)
                {
                    touched.forEach(UseCount::release);
                }
            }
        });
    }

    @Override
    public QueuePair createQueuePair(final QueuePairInitAttributes attributes)
    {
        attributes.type().checkSupported();
        return used(() -> QueuePairCreation.create(domain, attributes));
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(final int maxWorkRequests, final int maxScatterGather)
    {
        final DeviceAttributes limits = nativeContext.limits();
        Ranges.check("create_srq", "max_wr", maxWorkRequests, 1, limits.maxSharedReceiveWorkRequests());
        Ranges.check("create_srq", "max_sge", maxScatterGather, 1, limits.maxSharedReceiveScatterGather());
        return used(() -> new IbvSharedReceiveQueue(domain, maxWorkRequests, maxScatterGather));
    }

    @Override
    public void close()
    {
        if (domain.uses().close())
        {
            final int errno = nativeContext.library().calls().ibv_dealloc_pd(domain.handle());
            nativeContext.uses().release();
            if (errno != 0)
            {
                throw IbvErrors.failure("dealloc_pd", errno, "device=" + nativeContext.device().name());
            }
        }
    }

    private void check(final MemoryRange range, final int access)
    {
        if ((access & ~ALL_ACCESS) != 0)
        {
            throw new VerbsException("reg_mr", Errno.EINVAL,
                String.format("unknown access flags: access=0x%x known=0x%x", access, ALL_ACCESS));
        }
        if ((access & (Access.REMOTE_WRITE | Access.REMOTE_ATOMIC)) != 0 && (access & Access.LOCAL_WRITE) == 0)
        {
            throw new VerbsException("reg_mr", Errno.EINVAL, String.format(
                "remote write and atomic access need local write access as well: access=0x%x", access));
        }
        final long most = nativeContext.limits().maxMemoryRegionLength();
        if (range.length() == 0 || Long.compareUnsigned(range.length(), most) > 0)
        {
            throw new VerbsException("reg_mr", Errno.EINVAL,
                "length is out of range 1 to " + Long.toUnsignedString(most) + ": length=" + range.length());
        }
    }

    /**
     * Makes an object; takes back the use that was begun for it if that fails.
     */
    private <T> T used(final Supplier<T> maker)
    {
        domain.uses().acquire();
        boolean success = false;
        try
        {
            final T object = maker.get();
            success = true;
            return object;
        }
        finally
        {
            if (!success)
            {
                domain.uses().release();
            }
        }
    }
}
