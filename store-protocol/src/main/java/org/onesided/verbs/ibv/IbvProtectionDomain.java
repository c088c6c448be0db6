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

    private final IbvContext context;
    private final long handle;
    private final UseCount uses = new UseCount("dealloc_pd", "the protection domain");

    /**
     * @param context whose use is acquired already.
     */
    IbvProtectionDomain(final IbvContext context)
    {
        this.context = context;
        handle = context.library().calls().ibv_alloc_pd(context.handle());
        if (handle == 0)
        {
            throw IbvErrors.failure("alloc_pd", context.library().errno(), "device=" + context.device().name());
        }
        new MadeCheck("alloc_pd", handle)
            .address("ibv_pd.context", ProtectionDomainDescriptor.CONTEXT_OFFSET, context.handle())
            .orUndo(() -> context.library().calls().ibv_dealloc_pd(handle));
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
            final List<UseCount> memories = context.memories().acquire(range);
            boolean success = false;
            try
            {
                final MemoryRegion region = new IbvMemoryRegion(this, range, access, memories);
                success = true;
                return region;
            }
            finally
            {
                if (!success)
                {
                    memories.forEach(UseCount::release);
                }
            }
        });
    }

    @Override
    public QueuePair createQueuePair(final QueuePairInitAttributes attributes)
    {
        attributes.type().checkSupported();
        return used(() -> QueuePairCreation.create(this, attributes));
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(final int maxWorkRequests, final int maxScatterGather)
    {
        final DeviceAttributes limits = context.queryDevice();
        checkRange("create_srq", "max_wr", maxWorkRequests, 1, limits.maxSharedReceiveWorkRequests());
        checkRange("create_srq", "max_sge", maxScatterGather, 1, limits.maxSharedReceiveScatterGather());
        return used(() -> new IbvSharedReceiveQueue(this, maxWorkRequests, maxScatterGather));
    }

    @Override
    public void close()
    {
        if (uses.close())
        {
            final int errno = context.library().calls().ibv_dealloc_pd(handle);
            context.uses().release();
            if (errno != 0)
            {
                throw IbvErrors.failure("dealloc_pd", errno, "device=" + context.device().name());
            }
        }
    }

    IbvContext ibvContext()
    {
        return context;
    }

    long handle()
    {
        return handle;
    }

    UseCount uses()
    {
        return uses;
    }

    static void checkRange(
        final String verb, final String name, final int value, final int least, final int most)
    {
        if (value < least || value > most)
        {
            throw new VerbsException(verb, Errno.EINVAL,
                name + " is out of range " + least + " to " + most + ": " + name + "=" + value);
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
        final long most = context.queryDevice().maxMemoryRegionLength();
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
        uses.acquire();
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
                uses.release();
            }
        }
    }
}
