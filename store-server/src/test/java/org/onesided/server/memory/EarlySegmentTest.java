package org.onesided.server.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.server.table.GrowthPlan;
import org.onesided.verbs.Context;
import org.onesided.verbs.Devices;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.ProtectionDomain;

/** Segments that puts wait for. Their pieces of 1 MiB are made usable one by one. */
class EarlySegmentTest
{
    private static final long MIB = 1 << 20;
    /** A segment of so large a memory has 16 MiB, and 2 MiB at least. */
    private static final long MEMORY = 1024 * MIB;
    private static final long HEAP = 64 * MIB;

    private final GrowthPlan plan = GrowthPlan.of(MEMORY, 1, 1, 4096);
    private final Context context = Devices.find("tcp").open();
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final AtomicInteger pieces = new AtomicInteger();
    private final CountDownLatch isGrown = new CountDownLatch(1);
    private int awaitedPiece;
    private final TableMemory memory = new TableMemory(
        WatchedMemory.of(context.allocateGrowable(plan.regionLength(), HugePages.OFF), this::onCommit), plan,
        List.of(domain));
    private final MemoryGrowth growth = new MemoryGrowth(memory, plan, false, 0, new GrowthListener()
    {
        @Override
        public void onGrown(final int shard)
        {
            isGrown.countDown();
        }

        @Override
        public void retire(final RetiredMemory retired, final Runnable then)
        {
            then.run();
        }

        @Override
        public void onLook()
        {
        }

        @Override
        public void onFailed(final Throwable cause)
        {
            throw new AssertionError(cause);
        }
    });
    private final GrowingPart records = (GrowingPart)growth.addShard(0, HEAP).records();
    private final long before = records.usable();

    private void onCommit(final long length)
    {
        if (pieces.incrementAndGet() == awaitedPiece)
        {
            records.await();
        }
    }

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(growth, memory, domain, context);
    }

    /**
     * Lets the records grow.
     *
     * @param wanted bytes that a put needs.
     * @param piece  before which the put begins to wait, from 1; 0 for a put that does not wait.
     * @return by how much they have grown.
     */
    private long grown(final long wanted, final int piece) throws InterruptedException
    {
        pieces.set(0);
        awaitedPiece = piece;
        records.ensure(before + wanted);
        growth.start();
        assertTrue(isGrown.await(30, TimeUnit.SECONDS));
        return records.usable() - before;
    }

    @Test
    void shouldHaveItsLengthWhileNoPutWaits() throws InterruptedException
    {
        final long grown = grown(1, 0);
        assertEquals(plan.segment(before, memory.limit() - memory.committed() + grown, false), grown);
    }

    @Test
    void shouldEndEarlyForAPutThatWaits() throws InterruptedException
    {
        assertEquals(5 * MIB, grown(1, 5));
    }

    @Test
    void shouldNotGetTooShort() throws InterruptedException
    {
        assertEquals(2 * MIB, grown(1, 1));
    }

    /** A record that crosses segments takes several READs. */
    @Test
    void shouldHaveRoomForTheWholeRecordThatWaits() throws InterruptedException
    {
        assertEquals(7 * MIB, grown(7 * MIB, 1));
    }
}
