package org.onesided.verbs.soft;

import static org.onesided.verbs.SendRequestDescriptor.*;

import org.agrona.UnsafeApi;
import org.onesided.verbs.ElementDescriptor;
import org.onesided.verbs.SendFlags;

/**
 * A queue pair's view of this side's memory: the registered regions, and which of them its requests may use.
 */
public final class LocalMemory
{
    private final RegionTable regions;
    private final SoftProtectionDomain protectionDomain;

    LocalMemory(final RegionTable regions, final SoftProtectionDomain protectionDomain)
    {
        this.regions = regions;
        this.protectionDomain = protectionDomain;
    }

    /**
     * Finds a region of any protection domain.
     *
     * @param key local or remote.
     * @return the region, or null if there is none; it may be deregistered once the queue pair's lock is released.
     */
    public SoftMemoryRegion find(final int key)
    {
        return regions.find(key);
    }

    /**
     * @param request address of an {@code ibv_send_wr}.
     * @param access  that its buffers need.
     * @return whether all of them may be used.
     */
    public boolean mayUseFor(final long request, final int access)
    {
        final long elements = UnsafeApi.getLong(request + ELEMENTS_OFFSET);
        return (UnsafeApi.getInt(request + FLAGS_OFFSET) & SendFlags.INLINE) != 0 ||
            mayUse(elements, UnsafeApi.getInt(request + ELEMENT_COUNT_OFFSET), access);
    }

    /**
     * @param elements address of an {@code ibv_sge} array.
     * @param count    of elements.
     * @param access   that the buffers need.
     * @return whether all of them may be used.
     */
    public boolean mayUse(final long elements, final int count, final int access)
    {
        for (int i = 0; i < count; i++)
        {
            final long element = elements + (long)i * ElementDescriptor.LENGTH;
            final long length = UnsafeApi.getInt(element + ElementDescriptor.LENGTH_OFFSET) & 0xFFFF_FFFFL;
            if (length != 0)
            {
                final SoftMemoryRegion region =
                    regions.find(UnsafeApi.getInt(element + ElementDescriptor.LOCAL_KEY_OFFSET));
                final long address = UnsafeApi.getLong(element + ElementDescriptor.ADDRESS_OFFSET);
                if (region == null || !region.grants(protectionDomain, access, address, length))
                {
                    return false;
                }
            }
        }
        return true;
    }
}
