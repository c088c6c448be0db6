package org.onesided.verbs.posix;

import org.onesided.verbs.GrowableMemory;

/**
 * A device's memory that is private to this process, and grows piece by piece.
 */
public interface GrowingDeviceMemory extends GrowableMemory
{
    /**
     * @return the pages.
     */
    GrowingMemory growing();

    @Override
    default void commit(final long offset, final long length)
    {
        growing().commit(offset, length);
    }

    @Override
    default void checkGrowth(final long length)
    {
        growing().checkGrowth(length);
    }

    @Override
    default void release(final long offset, final long length)
    {
        growing().release(offset, length);
    }

    @Override
    default long committed()
    {
        return growing().committed();
    }

    @Override
    default long kept()
    {
        return growing().kept();
    }
}
