package org.onesided.server.table;

/**
 * What a write did: what the writer's own mirror should now hold. Filled by {@link ShardTable}, reused by its caller.
 */
public final class WriteResult
{
    private long slotWord;
    private long version;
    private long bucketOffset;
    private int slotIndex;

    /**
     * An empty result.
     */
    public WriteResult()
    {
    }

    void clear()
    {
        fill(0, 0, 0, 0);
    }

    void fill(final long newSlotWord, final long newVersion, final long newBucketOffset, final int newSlotIndex)
    {
        slotWord = newSlotWord;
        version = newVersion;
        bucketOffset = newBucketOffset;
        slotIndex = newSlotIndex;
    }

    /** The write left no record that could have a version. */
    void withoutVersion()
    {
        version = 0;
    }

    /**
     * @return what the key's slot holds now: after a delete 0, or the word of another key that moved there.
     */
    public long slotWord()
    {
        return slotWord;
    }

    /**
     * @return the record's version, or that of the deletion; 0 if nothing was written, or a put's time was over.
     */
    public long version()
    {
        return version;
    }

    /**
     * @return table offset of the bucket that holds the slot; 0 if nothing was written.
     */
    public long bucketOffset()
    {
        return bucketOffset;
    }

    /**
     * @return index of the slot in its bucket, 0 to 6.
     */
    public int slotIndex()
    {
        return slotIndex;
    }
}
