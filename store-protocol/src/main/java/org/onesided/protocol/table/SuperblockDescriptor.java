package org.onesided.protocol.table;

/**
 * Layout of the superblock. Its first {@value #CONSTANT_LENGTH} bytes never change while the server lives. Behind them
 * each shard has a word that it stores as its index grows: a {@link SplitPoint}, never ahead of the buckets' headers.
 *
 * <pre>
 *   0             4             8             12            16
 *  +-------------+-------------+-------------+-------------+
 *  | magic                     | version     | shard count |
 *  +-------------+-------------+-------------+-------------+
 *  | table id                  | server life               |
 *  +-------------+-------------+-------------+-------------+
 *  | epoch                     | region length             |
 *  +-------------+-------------+-------------+-------------+
 *  | hash seed                 | check seed                |
 *  +-------------+-------------+-------------+-------------+
 *  | code                      | reserved                  |
 *  +-------------+-------------+-------------+-------------+
 *  |                                              ... 128  |
 *  +-------------+-------------+-------------+-------------+
 *  | shards: shard 0                              ... 176  |
 *  +-------------+-------------+-------------+-------------+
 *  | shard 1, and so on                           ... 3200 |
 *  +-------------+-------------+-------------+-------------+
 *  | unused                                       ... 3584 |
 *  +-------------+-------------+-------------+-------------+
 *  | split points, one for each shard             ... 4096 |
 *  +-------------+-------------+-------------+-------------+
 *
 *  each shard:
 *
 *   0             4             8             12            16
 *  +-------------+-------------+-------------+-------------+
 *  | buckets                   |first buckets| levels      |
 *  +-------------+-------------+-------------+-------------+
 *  | overflow                  | overflow count            |
 *  +-------------+-------------+-------------+-------------+
 *  | heap                      | heap length               |
 *  +-------------+-------------+-------------+-------------+
 * </pre>
 */
public final class SuperblockDescriptor
{
    /** Identifies a table. */
    public static final int MAGIC_OFFSET = 0;
    /** Version of the layout. */
    public static final int VERSION_OFFSET = MAGIC_OFFSET + Long.BYTES;
    /** Number of shards. */
    public static final int SHARD_COUNT_OFFSET = VERSION_OFFSET + Integer.BYTES;
    /** Identifier of the table; random. */
    public static final int TABLE_ID_OFFSET = SHARD_COUNT_OFFSET + Integer.BYTES;
    /** Identifier of one life of the server; random, never 0. */
    public static final int SERVER_LIFE_OFFSET = TABLE_ID_OFFSET + Long.BYTES;
    /** Counts reorganisations of the buckets, from 1; bucket headers have its low bits. */
    public static final int EPOCH_OFFSET = SERVER_LIFE_OFFSET + Long.BYTES;
    /** Length of the region in bytes. */
    public static final int REGION_LENGTH_OFFSET = EPOCH_OFFSET + Long.BYTES;
    /** Seed of {@link KeyHash}. */
    public static final int HASH_SEED_OFFSET = REGION_LENGTH_OFFSET + Long.BYTES;
    /** Seed of {@link RecordCheck}. */
    public static final int CHECK_SEED_OFFSET = HASH_SEED_OFFSET + Long.BYTES;
    /** Check code over the other bytes that never change. */
    public static final int CODE_OFFSET = CHECK_SEED_OFFSET + Long.BYTES;
    /** Where the entries of the shards begin. */
    public static final int SHARDS_OFFSET = 128;

    /** Within a shard's entry: table offset of its buckets. */
    public static final int BUCKETS_OFFSET = 0;
    /** Within a shard's entry: number of buckets of the first array. */
    public static final int FIRST_BUCKETS_OFFSET = BUCKETS_OFFSET + Long.BYTES;
    /** Within a shard's entry: maximum number of arrays of buckets. */
    public static final int LEVELS_OFFSET = FIRST_BUCKETS_OFFSET + Integer.BYTES;
    /** Within a shard's entry: table offset of its overflow buckets. */
    public static final int OVERFLOW_OFFSET = LEVELS_OFFSET + Integer.BYTES;
    /** Within a shard's entry: maximum number of overflow buckets. */
    public static final int OVERFLOW_COUNT_OFFSET = OVERFLOW_OFFSET + Long.BYTES;
    /** Within a shard's entry: table offset of its record heap. */
    public static final int HEAP_OFFSET = OVERFLOW_COUNT_OFFSET + Long.BYTES;
    /** Within a shard's entry: length of its record heap in bytes. */
    public static final int HEAP_LENGTH_OFFSET = HEAP_OFFSET + Long.BYTES;
    /** Length of a shard's entry. */
    public static final int SHARD_LENGTH = HEAP_LENGTH_OFFSET + Long.BYTES;

    /** Length of what never changes. */
    public static final int CONSTANT_LENGTH = 3584;
    /** Where the split points of the shards begin. */
    public static final int SPLIT_POINTS_OFFSET = CONSTANT_LENGTH;
    /** Length of the whole. */
    public static final int LENGTH = 4096;
    /** Maximum number of shards. */
    public static final int MAX_SHARDS = 64;
    /** Value of {@link #MAGIC_OFFSET}: "ONESIDED" in ASCII. */
    public static final long MAGIC = 0x4445_4449_5345_4E4FL;
    /** Value of {@link #VERSION_OFFSET}. */
    public static final int VERSION = 6;

    private SuperblockDescriptor()
    {
    }
}
