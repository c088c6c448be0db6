package org.onesided.server.memory;

import java.util.List;

/**
 * Buckets whose memory is to be given back once no client READs them any more: of each shard, those that are split at a
 * point.
 *
 * @param epoch       of the release, from 1, higher than any before.
 * @param splitPoints of the shards, in their order; the superblock said so, or more, before this was made.
 */
public record RetiredIndex(long epoch, List<Long> splitPoints)
{
    /** Nothing is retired yet. */
    public static final RetiredIndex NONE = new RetiredIndex(0, List.of());
}
