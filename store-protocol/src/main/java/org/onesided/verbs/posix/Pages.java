package org.onesided.verbs.posix;

import org.onesided.verbs.MemoryRange;

/**
 * Private memory of this process, in pages.
 */
public interface Pages extends AutoCloseable
{
    /**
     * @return the memory that was asked for; aligned to a page, or to a huge one where it may be in such.
     */
    MemoryRange range();

    /**
     * @return whether at least half of what exists is in huge pages.
     */
    boolean hugePages();

    @Override
    void close();
}
