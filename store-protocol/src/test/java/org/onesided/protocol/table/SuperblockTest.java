package org.onesided.protocol.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SuperblockTest
{
    private long address;

    @BeforeEach
    void allocate()
    {
        address = UnsafeApi.allocateMemory(SuperblockDescriptor.LENGTH);
        UnsafeApi.setMemory(address, SuperblockDescriptor.LENGTH, (byte)0);
    }

    @AfterEach
    void free()
    {
        UnsafeApi.freeMemory(address);
    }

    private static Superblock superblock(final int shards)
    {
        final List<ShardLayout> layouts = new ArrayList<>();
        for (int i = 0; i < shards; i++)
        {
            final long start = 4096 + i * 1_000_000L / 64 * 64;
            layouts.add(new ShardLayout(start, 20, 3, start + 140 * 64, 10, start + 150 * 64, 900_000 / 32 * 32));
        }
        return new Superblock(1, -2, 3, 70_000_000_000L, 5, -6, layouts);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, SuperblockDescriptor.MAX_SHARDS})
    void shouldReadWhatWasWritten(final int shards)
    {
        final Superblock superblock = superblock(shards);
        superblock.write(address);
        assertEquals(superblock, Superblock.read(address));
    }

    @Test
    void shouldNoticeEachDamagedByte()
    {
        superblock(2).write(address);
        for (int i = 0; i < SuperblockDescriptor.CONSTANT_LENGTH; i++)
        {
            final byte old = UnsafeApi.getByte(address + i);
            UnsafeApi.putByte(address + i, (byte)(old + 1));
            assertThrows(IllegalArgumentException.class, () -> Superblock.read(address), "byte " + i);
            UnsafeApi.putByte(address + i, old);
        }
        Superblock.read(address);
    }

    @Test
    void shouldTellSplitPointsOfAllShards()
    {
        final Superblock superblock = superblock(SuperblockDescriptor.MAX_SHARDS);
        superblock.write(address);
        for (int i = 0; i < SuperblockDescriptor.MAX_SHARDS; i++)
        {
            assertEquals(SplitPoint.START, Superblock.splitPoint(address, i));
            Superblock.splitPoint(address, i, SplitPoint.of(1, i));
        }
        for (int i = 0; i < SuperblockDescriptor.MAX_SHARDS; i++)
        {
            assertEquals(SplitPoint.of(1, i), Superblock.splitPoint(address, i));
        }
        assertEquals(superblock, Superblock.read(address));
    }

    @Test
    void shouldSayWhatIsNotATable()
    {
        final Exception empty = assertThrows(IllegalArgumentException.class, () -> Superblock.read(address));
        assertTrue(empty.getMessage().contains("not a table"));
        superblock(1).write(address);
        UnsafeApi.putInt(address + SuperblockDescriptor.VERSION_OFFSET, 99);
        final Exception other = assertThrows(IllegalArgumentException.class, () -> Superblock.read(address));
        assertTrue(other.getMessage().contains("version=99"));
    }

    @Test
    void shouldRejectAShardOutsideTheRegion()
    {
        final Superblock good = superblock(1);
        final ShardLayout shard = good.shards().get(0);
        for (final ShardLayout bad : List.of(
            new ShardLayout(0, 20, 3, shard.overflow(), 10, shard.heap(), 32),
            new ShardLayout(4097, 20, 3, shard.overflow(), 10, shard.heap(), 32),
            new ShardLayout(4096, 0, 3, shard.overflow(), 10, shard.heap(), 32),
            new ShardLayout(4096, -1, 3, shard.overflow(), 10, shard.heap(), 32),
            new ShardLayout(4096, 20, 0, shard.overflow(), 10, shard.heap(), 32),
            new ShardLayout(4096, 20, -1, shard.overflow(), 10, shard.heap(), 32),
            new ShardLayout(4096, 20, 64, shard.overflow(), 10, shard.heap(), 32),
            new ShardLayout(4096, 20, 40, shard.overflow(), 10, shard.heap(), 32),
            new ShardLayout(4096, Integer.MAX_VALUE, 32, shard.overflow(), 10, shard.heap(), 32),
            new ShardLayout(4096, 20, 3, shard.overflow(), -1, shard.heap(), 32),
            new ShardLayout(4096, 20, 3, 1L << 62, 10, shard.heap(), 32),
            new ShardLayout(4096, 20, 3, shard.overflow(), 10, shard.heap(), 70_000_000_000L / 32 * 32),
            new ShardLayout(4096, 20, 3, shard.overflow(), 10, shard.heap() + 1, 32)))
        {
            new Superblock(1, 2, 3, good.regionLength(), 5, 6, List.of(bad)).write(address);
            assertThrows(IllegalArgumentException.class, () -> Superblock.read(address), bad::toString);
        }
    }

    @Test
    void shouldKnowWhatLiesInItsHeap()
    {
        final ShardLayout shard = superblock(1).shards().get(0);
        final long end = shard.heap() + shard.heapLength();
        assertTrue(shard.heapContains(shard.heap(), shard.heapLength()));
        assertTrue(shard.heapContains(end - 32, 32));
        assertFalse(shard.heapContains(end - 32, 33));
        assertFalse(shard.heapContains(shard.heap() - 32, 32));
        assertFalse(shard.heapContains(shard.heap(), -1));
        assertFalse(shard.heapContains(Long.MAX_VALUE, 32));
    }
}
