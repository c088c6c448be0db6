package org.onesided.client.bootstrap;

import org.onesided.protocol.bootstrap.Bootstrap;

/**
 * The shards of a table that a session is for: all of them, or the one that a member of a cluster leads. They are
 * neighbours, so that loops over them need no more than {@link #first} and {@link #end}.
 *
 * @param total shards of the table.
 * @param first that is served.
 * @param end   behind the last that is served.
 */
public record ServedShards(int total, int first, int end)
{
    /**
     * Checks the range.
     *
     * @param total shards of the table.
     * @param first that is served.
     * @param end   behind the last that is served.
     */
    public ServedShards
    {
        if (first < 0 || end < first || end > total)
        {
            throw new IllegalArgumentException(
                "a session is for shards of the table: first=" + first + " end=" + end + " shards=" + total);
        }
    }

    /**
     * @param total shards of the table.
     * @return all of them.
     */
    public static ServedShards all(final int total)
    {
        return new ServedShards(total, 0, total);
    }

    /**
     * @param shard as {@code Hello} names it.
     * @param total shards of the table.
     * @return that one, or all.
     * @throws IllegalArgumentException if the table has no such shard.
     */
    public static ServedShards of(final int shard, final int total)
    {
        return shard == Bootstrap.ALL_SHARDS ? all(total) : new ServedShards(total, shard, shard + 1);
    }

    /**
     * @return how many there are.
     */
    public int count()
    {
        return end - first;
    }

    /**
     * @param shard of the table.
     * @return whether the session is for it.
     */
    public boolean contains(final int shard)
    {
        return shard >= first && shard < end;
    }
}
