package org.onesided.server.shard.agent;

import org.onesided.server.expiry.ExpiryWheel;
import org.onesided.server.table.ShardTable;

/**
 * Work that a shard does for its table in every round, though no request asks for it: looks for records whose time has
 * come, splits buckets, and zeroes freed memory. A round that has much else to do does less of it, but never so little
 * that it falls behind. Belongs to the shard's thread.
 */
final class Housekeeping
{
    private static final int CLEAN_STEP_LENGTH = 64 << 10;
    /** Bytes that a busy round zeroes, so that deleted data disappears under any load. */
    private static final int BUSY_CLEAN_STEP_LENGTH = 4 << 10;
    /** More bytes that a round zeroes for each put of a batch. */
    private static final int CLEANED_PER_BATCHED_PUT = 256;
    /** Records with a time that a round looks at. */
    private static final int EXPIRE_STEP = 256;
    private static final int BUSY_EXPIRE_STEP = 16;
    /** How often the wheel looks at a record before its time comes, for each level but one, and when it comes. */
    private static final int LOOKS_PER_PUT = ExpiryWheel.LEVELS;
    /** Of a round, which has up to twice as many puts without batches: one put in three makes a split necessary. */
    private static final int MAX_SPLITS = 16;

    private final ShardTable table;

    Housekeeping(final ShardTable table)
    {
        this.table = table;
    }

    /** Looks at records of a round that has done so much else, and removes those whose time has come. */
    int expire(final int work)
    {
        return table.expire(expireStep(work));
    }

    /** How many records a round may look at that has done so much else: so many that each of its puts may expire. */
    static int expireStep(final int work)
    {
        return work == 0 ? EXPIRE_STEP : BUSY_EXPIRE_STEP + LOOKS_PER_PUT * work;
    }

    /** Splits buckets in a round that has executed so many puts of batches. */
    int grow(final int batched)
    {
        return table.grow(MAX_SPLITS + batched / 2);
    }

    /** Zeroes freed memory in a round that has done so much else, puts of batches among it; whether there was some. */
    boolean clean(final int work, final int batched)
    {
        return table.clean(
            work == 0 ? CLEAN_STEP_LENGTH : BUSY_CLEAN_STEP_LENGTH + batched * CLEANED_PER_BATCHED_PUT);
    }
}
