package org.onesided.verbs.soft;

import java.util.function.Consumer;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.MemoryRegion;
import org.onesided.verbs.UseCount;

/**
 * Registered memory. Local and remote key are the same number, as with most hardware.
 */
public final class SoftMemoryRegion implements MemoryRegion
{
    private final SoftProtectionDomain protectionDomain;
    private final MemoryRange range;
    private final int access;
    private final int key;
    private final UseCount memoryUses;
    private final Consumer<SoftMemoryRegion> onClose;
    private final UseCount uses = new UseCount("dereg_mr", "the memory region");

    /**
     * @param memoryUses use of the memory, acquired already, or null.
     * @param onClose    withdraws the region, before what it uses is released.
     */
    SoftMemoryRegion(
        final SoftProtectionDomain protectionDomain,
        final MemoryRange range,
        final int access,
        final int key,
        final UseCount memoryUses,
        final Consumer<SoftMemoryRegion> onClose)
    {
        this.protectionDomain = protectionDomain;
        this.range = range;
        this.access = access;
        this.key = key;
        this.memoryUses = memoryUses;
        this.onClose = onClose;
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
        return key;
    }

    @Override
    public int remoteKey()
    {
        return key;
    }

    /**
     * @return the protection domain it belongs to.
     */
    public SoftProtectionDomain protectionDomain()
    {
        return protectionDomain;
    }

    @Override
    public void close()
    {
        if (uses.close())
        {
            onClose.accept(this);
            protectionDomain.uses().release();
            if (memoryUses != null)
            {
                memoryUses.release();
            }
        }
    }

    boolean grants(
        final SoftProtectionDomain domain, final int neededAccess, final long address, final long length)
    {
        return protectionDomain == domain && (access & neededAccess) == neededAccess &&
            range.contains(address - range.address(), length);
    }
}
