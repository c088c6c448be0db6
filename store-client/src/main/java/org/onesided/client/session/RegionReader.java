package org.onesided.client.session;

/**
 * READs the table. Callers have limited their ranges to the table's parts.
 */
public interface RegionReader
{
    /**
     * Tells whether there is memory behind a range of the table. If this side knows of none, it asks the server, whose
     * memory grows.
     *
     * @param shard       whose queue pair carries the question.
     * @param tableOffset of the first byte.
     * @param length      in bytes, from 1.
     * @return whether all of it can be READ.
     */
    default boolean reaches(final int shard, final long tableOffset, final long length)
    {
        return true;
    }

    /**
     * Adds a READ to the batch; it may be posted at once or with {@link #complete}.
     *
     * @param shard        whose queue pair carries it.
     * @param tableOffset  of the first byte.
     * @param length       in bytes, from 1.
     * @param target       gets the bytes.
     * @param targetOffset where in the target.
     */
    void enqueue(int shard, long tableOffset, long length, RegisteredBuffer target, long targetOffset);

    /**
     * Posts what is enqueued, with one doorbell a shard, and waits until all of it is there.
     */
    void complete();

    /**
     * One READ, awaited.
     *
     * @param shard        whose queue pair carries it.
     * @param tableOffset  of the first byte.
     * @param length       in bytes, from 1.
     * @param target       gets the bytes.
     * @param targetOffset where in the target.
     */
    default void read(
        final int shard,
        final long tableOffset,
        final long length,
        final RegisteredBuffer target,
        final long targetOffset)
    {
        enqueue(shard, tableOffset, length, target, targetOffset);
        complete();
    }
}
