package org.onesided.server.memory;

import java.util.List;

/**
 * Memory that is to be given back once no client READs it any more: of each shard, the buckets that are split at a
 * point; and segments that the directories mark as removed.
 *
 * @param epoch       of the release, from 1, higher than any before.
 * @param removal     the last epoch with which segments go, 0 if there was none.
 * @param splitPoints of the shards, in their order; the superblock said so, or more, before this was made.
 */
public record RetiredMemory(long epoch, long removal, List<Long> splitPoints)
{
    /** Nothing is retired yet. */
    public static final RetiredMemory NONE = new RetiredMemory(0, 0, List.of());
}
