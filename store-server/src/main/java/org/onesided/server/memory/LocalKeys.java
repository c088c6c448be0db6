package org.onesided.server.memory;

/**
 * Keys by which this side's work requests reach the table's memory over one device. Thread-safe.
 */
public interface LocalKeys
{
    /**
     * @param address in the table's memory.
     * @return lkey of the segment that it lies in.
     */
    int key(long address);

    /**
     * @param address in the table's memory.
     * @return bytes from there to the end of its segment.
     */
    long reach(long address);

    /**
     * Memory that is one segment.
     *
     * @param key of it.
     * @return the keys.
     */
    static LocalKeys of(final int key)
    {
        return new LocalKeys()
        {
            @Override
            public int key(final long address)
            {
                return key;
            }

            @Override
            public long reach(final long address)
            {
                return Long.MAX_VALUE;
            }
        };
    }
}
