package org.onesided.server.shard.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.Superblock;
import org.onesided.server.queue.SessionGeometry;
import org.onesided.server.shard.apply.CannotApplyException;
import org.onesided.server.shard.proposal.LoggedTime;
import org.onesided.server.shard.proposal.MemoryWait;
import org.onesided.server.shard.session.LoggedSessions;
import org.onesided.server.snapshot.SnapshotHeader;
import org.onesided.server.snapshot.SnapshotReader;
import org.onesided.server.snapshot.SnapshotStore;
import org.onesided.server.snapshot.SnapshotWriter;
import org.onesided.server.table.GrowthPlan;
import org.onesided.server.table.PartMemory;
import org.onesided.server.table.ShardMemory;
import org.onesided.server.table.ShardTable;
import org.onesided.verbs.MemoryRange;

class SnapshotLoadTest
{
    private static final int PAGE = 4096;
    private static final long MEMORY = 32L << 20;
    private static final long STEP = 1 << 20;
    private static final int RECORDS = 400;
    private static final int VALUE_LENGTH = 20_000;
    private static final int STEPS = 100_000;
    /** Of the last write, more than a new table begins with. */
    private static final long VERSION = 1L << 50;
    private static final long MARGIN_MS = 120_000;

    @TempDir
    private Path directory;

    private final LoggedTime time = new LoggedTime();
    private final Superblock superblock = GrowthPlan.of(MEMORY, 1, 1, PAGE).superblock(1, 2, 3, 4);
    private final long allocated = UnsafeApi.allocateMemory(superblock.regionLength() + PAGE);
    private SlowMemory records;
    private ShardTable table;
    private SnapshotReader reader;
    private SnapshotLoad load;
    private long nowNs = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(1);

    /** Memory that comes when the test lets it come. */
    private static final class SlowMemory implements PartMemory
    {
        private final long most;
        private long usable = STEP;

        private SlowMemory(final long most)
        {
            this.most = most;
        }

        @Override
        public long usable()
        {
            return usable;
        }

        @Override
        public boolean ensure(final long length)
        {
            return length <= usable;
        }

        @Override
        public long growable()
        {
            return most - usable;
        }

        private void grow()
        {
            usable = Math.min(most, usable + STEP);
        }
    }

    @BeforeEach
    void setUp() throws InterruptedException
    {
        final MemoryRange region = new MemoryRange((allocated + PAGE - 1) / PAGE * PAGE, superblock.regionLength());
        UnsafeApi.setMemory(region.address(), region.length(), (byte)0);
        final ShardMemory whole = ShardMemory.whole(superblock.shards().get(0));
        records = new SlowMemory(whole.records().usable());
        table = new ShardTable(region, superblock, 0, 1,
            new ShardMemory(whole.buckets(), whole.overflow(), whole.reserve(), records), time.ofTable());
        reader = snapshot();
        final SessionGeometry geometry = new SessionGeometry(8, 8 << 10, 8, 4, 16 << 10, 1 << 20);
        load = new SnapshotLoad(
            reader, table, new KeyHash(superblock.hashSeed()), new LoggedSessions(geometry, false), time, () -> nowNs);
    }

    @AfterEach
    void tearDown()
    {
        load.close();
        UnsafeApi.freeMemory(allocated);
    }

    private SnapshotReader snapshot() throws InterruptedException
    {
        final SnapshotStore store = new SnapshotStore(directory, superblock.tableId(), 0, 1);
        final SnapshotWriter writer = store.create(new SnapshotHeader(
            superblock.tableId(), 0, 1, 1, 7, 1_000, VERSION, 1, RECORDS, (long)RECORDS * VALUE_LENGTH, 1_000));
        final SessionImage image = new SessionImage();
        writer.session(image.buffer(), 0, image.write(time));
        final ByteBuffer memory = ByteBuffer.allocateDirect(VALUE_LENGTH);
        final long address = BufferUtil.address(memory);
        for (int i = 0; i < RECORDS; i++)
        {
            memory.putLong(0, i + 1);
            while (!writer.hasRoom())
            {
                Thread.onSpinWait();
            }
            writer.record(address, Long.BYTES, address, VALUE_LENGTH, i, 0);
        }
        writer.finish();
        assertTrue(writer.await(MARGIN_MS));
        return store.openNewest((bytes) -> {}, (index) -> false);
    }

    /** Steps until nothing is done; then only more memory helps. */
    private void untilItWaits()
    {
        int steps = 0;
        while (!load.isLoaded() && load.step() > 0)
        {
            assertTrue(++steps < STEPS, "it never waits");
        }
    }

    @Test
    void shouldWaitForMemoryWithoutWork()
    {
        untilItWaits();
        assertFalse(load.isLoaded());
        assertTrue(table.statistics().records() > 0);
        for (int i = 0; i < 100; i++)
        {
            assertEquals(0, load.step(), "the agent must not spin");
        }
        int waits = 0;
        while (!load.isLoaded())
        {
            assertTrue(++waits < STEPS, "it does not end");
            // Each time memory comes, the wait begins anew.
            nowNs += MemoryWait.LONGEST_NS - 1;
            assertEquals(0, load.step());
            records.grow();
            untilItWaits();
        }
        assertTrue(waits > 2, "waits=" + waits);
        assertEquals(RECORDS, table.statistics().records());
    }

    @Test
    void shouldGiveUpIfNoMemoryComes()
    {
        untilItWaits();
        nowNs += MemoryWait.LONGEST_NS;
        final String message = assertThrows(CannotApplyException.class, load::step).getMessage();
        assertTrue(message.contains("memory for the records of the snapshot does not come"), message);
        assertFalse(message.contains("\n"), message);
    }
}
