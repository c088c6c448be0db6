package org.onesided.protocol.table;

import static org.onesided.protocol.table.SuperblockDescriptor.*;

import com.dynatrace.hash4j.hashing.Hashing;
import java.util.List;
import org.agrona.UnsafeApi;

/**
 * What a superblock says: the table's identity, its seeds, and where each shard's parts are.
 *
 * @param tableId      names the table.
 * @param serverLife   names one life of the server.
 * @param epoch        counts reorganisations of the buckets, from 1.
 * @param regionLength in bytes.
 * @param hashSeed     of {@link KeyHash}.
 * @param checkSeed    of {@link RecordCheck}.
 * @param shards       in their order, at most {@link SuperblockDescriptor#MAX_SHARDS}.
 */
public record Superblock(
    long tableId,
    long serverLife,
    long epoch,
    long regionLength,
    long hashSeed,
    long checkSeed,
    List<ShardLayout> shards)
{
    /**
     * Writes the superblock.
     *
     * @param address of {@link SuperblockDescriptor#LENGTH} zeroed bytes.
     */
    public void write(final long address)
    {
        UnsafeApi.putLong(address + MAGIC_OFFSET, MAGIC);
        UnsafeApi.putInt(address + VERSION_OFFSET, VERSION);
        UnsafeApi.putInt(address + SHARD_COUNT_OFFSET, shards.size());
        UnsafeApi.putLong(address + TABLE_ID_OFFSET, tableId);
        UnsafeApi.putLong(address + SERVER_LIFE_OFFSET, serverLife);
        UnsafeApi.putLong(address + EPOCH_OFFSET, epoch);
        UnsafeApi.putLong(address + REGION_LENGTH_OFFSET, regionLength);
        UnsafeApi.putLong(address + HASH_SEED_OFFSET, hashSeed);
        UnsafeApi.putLong(address + CHECK_SEED_OFFSET, checkSeed);
        for (int i = 0; i < shards.size(); i++)
        {
            shards.get(i).write(address + SHARDS_OFFSET + (long)i * SHARD_LENGTH);
        }
        UnsafeApi.putLong(address + CODE_OFFSET, code(address));
    }

    /**
     * Reads and checks a superblock.
     *
     * @param address of {@link SuperblockDescriptor#LENGTH} bytes.
     * @return what it says; every range in it lies inside the region.
     * @throws IllegalArgumentException if these bytes are no superblock of this version; one line says why.
     */
    public static Superblock read(final long address)
    {
        final long magic = UnsafeApi.getLong(address + MAGIC_OFFSET);
        if (magic != MAGIC)
        {
            throw new IllegalArgumentException("not a table: magic=0x" + Long.toHexString(magic));
        }
        final int version = UnsafeApi.getInt(address + VERSION_OFFSET);
        if (version != VERSION)
        {
            throw new IllegalArgumentException("unknown layout version: version=" + version + " known=" + VERSION);
        }
        if (UnsafeApi.getLong(address + CODE_OFFSET) != code(address))
        {
            throw new IllegalArgumentException("superblock is damaged: its code does not fit");
        }
        final int count = UnsafeApi.getInt(address + SHARD_COUNT_OFFSET);
        if (count < 1 || count > MAX_SHARDS)
        {
            throw new IllegalArgumentException("not a number of shards: shards=" + count);
        }
        final long regionLength = UnsafeApi.getLong(address + REGION_LENGTH_OFFSET);
        final ShardLayout[] shards = new ShardLayout[count];
        for (int i = 0; i < count; i++)
        {
            shards[i] = ShardLayout.read(address + SHARDS_OFFSET + (long)i * SHARD_LENGTH, regionLength);
        }
        return new Superblock(
            UnsafeApi.getLong(address + TABLE_ID_OFFSET),
            UnsafeApi.getLong(address + SERVER_LIFE_OFFSET),
            UnsafeApi.getLong(address + EPOCH_OFFSET),
            regionLength,
            UnsafeApi.getLong(address + HASH_SEED_OFFSET),
            UnsafeApi.getLong(address + CHECK_SEED_OFFSET),
            List.of(shards));
    }

    /**
     * Tells readers how far the splitting of a shard's index has come, after all that was written before.
     *
     * @param address of the superblock.
     * @param shard   number of the shard, from 0.
     * @param point   a {@link SplitPoint}.
     */
    public static void splitPoint(final long address, final int shard, final long point)
    {
        UnsafeApi.putLongRelease(null, splitPointAddress(address, shard), point);
    }

    /**
     * Reads how far the splitting of a shard's index had come. The code does not cover this word.
     *
     * @param address of a superblock.
     * @param shard   number of the shard, from 0.
     * @return what may be a {@link SplitPoint}; {@link ShardLayout#isReachable} says whether it is one.
     */
    public static long splitPoint(final long address, final int shard)
    {
        return UnsafeApi.getLong(splitPointAddress(address, shard));
    }

    private static long splitPointAddress(final long address, final int shard)
    {
        return address + SPLIT_POINTS_OFFSET + (long)shard * Long.BYTES;
    }

    private static long code(final long address)
    {
        final long after = CODE_OFFSET + Long.BYTES;
        return Hashing.xxh3_64().hashBytesToLong(null, address, CODE_OFFSET, RawBytes.INSTANCE) * 31 +
            Hashing.xxh3_64().hashBytesToLong(null, address + after, CONSTANT_LENGTH - after, RawBytes.INSTANCE);
    }
}
