package org.onesided.server.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.agrona.CloseHelper;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.onesided.protocol.table.SegmentDirectoryDescriptor;
import org.onesided.server.table.GrowthPlan;
import org.onesided.server.table.PartMemory;
import org.onesided.server.table.ShardMemory;
import org.onesided.verbs.Context;
import org.onesided.verbs.Devices;
import org.onesided.verbs.Errno;
import org.onesided.verbs.GrowableMemory;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.ProtectionDomain;
import org.onesided.verbs.VerbsException;

class MemoryGrowthTest
{
    private static final long MIB = 1 << 20;
    /** A heap is asked to give memory up again and again. */
    private static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final GrowthPlan plan = GrowthPlan.of(64 * MIB, 1, 1, 4096);
    private final Context context = Devices.find("tcp").open();
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final GrowableMemory pages = context.allocateGrowable(plan.regionLength(), HugePages.OFF);
    /** Called before a segment is registered. */
    private volatile Consumer<MemoryRange> onRegister = (range) -> {};
    private final AtomicInteger told = new AtomicInteger();
    /** Once a second, behind all that the thread does in a round. */
    private final AtomicInteger looks = new AtomicInteger();
    private volatile Runnable onTold = told::incrementAndGet;
    private volatile BiConsumer<RetiredMemory, Runnable> onRetired = (retired, then) -> then.run();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    /** Called with the length of each piece that is made usable. */
    private volatile LongConsumer onCommit = (length) -> {};
    private final TableMemory memory = new TableMemory(
        WatchedMemory.of(pages, (length) -> onCommit.accept(length)), plan, List.of(refusing(domain)));
    private final MemoryGrowth growth = new MemoryGrowth(memory, plan, false, QUIET_NS, new GrowthListener()
    {
        @Override
        public void onGrown(final int shard)
        {
            onTold.run();
        }

        @Override
        public void retire(final RetiredMemory retired, final Runnable then)
        {
            onRetired.accept(retired, then);
        }

        @Override
        public void onLook()
        {
            looks.incrementAndGet();
        }

        @Override
        public void onFailed(final Throwable cause)
        {
            failure.set(cause);
        }
    });
    private final ShardMemory shard = growth.addShard(0, plan.initialHeap(0));
    private final GrowingPart records = (GrowingPart)shard.records();
    private final GrowingPart buckets = (GrowingPart)shard.buckets();

    private ProtectionDomain refusing(final ProtectionDomain to)
    {
        return (ProtectionDomain)Proxy.newProxyInstance(
            ProtectionDomain.class.getClassLoader(),
            new Class<?>[] {ProtectionDomain.class},
            (proxy, method, arguments) ->
            {
                if ("register".equals(method.getName()))
                {
                    onRegister.accept((MemoryRange)arguments[0]);
                }
                try
                {
                    return method.invoke(to, arguments);
                }
                catch (final InvocationTargetException e)
                {
                    throw e.getCause();
                }
            });
    }

    private static VerbsException refusal()
    {
        return new VerbsException("reg_mr", Errno.ENOMEM, "of the test");
    }

    private static void await(final BooleanSupplier condition) throws InterruptedException
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean())
        {
            assertTrue(System.nanoTime() - endNs < 0, "takes too long");
            Thread.sleep(1);
        }
    }

    @AfterEach
    void close()
    {
        onRegister = (range) -> {};
        growth.close();
        CloseHelper.closeAll(memory, domain, context);
    }

    @Test
    void shouldLeaveTheLastMemoryToTheIndex() throws InterruptedException
    {
        growth.start();
        records.ensure(Long.MAX_VALUE);
        await(() -> records.growable() == 0);
        final long left = memory.limit() - memory.committed();
        assertTrue(left >= MIB / 4 && left < MIB / 4 + 4096, "left=" + left);
        assertFalse(records.isRefused());
        assertEquals(left, buckets.growable());
        buckets.ensure(buckets.usable() + MIB / 8);
        await(() -> buckets.missing() == 0);
        assertEquals(0, records.growable());
        assertEquals(memory.limit(), memory.committed() + buckets.growable());
    }

    @Test
    void shouldTellShardsThatNothingIsLeftAndNotEachTimeThatTheyAsk() throws InterruptedException
    {
        growth.start();
        records.ensure(Long.MAX_VALUE);
        await(() -> records.growable() == 0);
        await(() -> told.get() > 1);
        // That there is none left, and that it is to give some up, which it does not.
        await(() -> records.surplus() != PartMemory.NONE);
        final int looked = looks.get();
        await(() -> looks.get() > looked);
        final int before = told.get();
        for (int i = 0; i < 500; i++)
        {
            assertFalse(records.ensure(records.usable() + 4096 + i));
            Thread.sleep(1);
        }
        assertEquals(before, told.get());
    }

    @Test
    void shouldNeverShowAShardLessThanThereIs() throws InterruptedException
    {
        final GrowthPlan.Part all = plan.shards().get(0).records();
        final long had = records.usable() + records.growable();
        final AtomicReference<String> wrong = new AtomicReference<>();
        final Thread reader = new Thread(() ->
        {
            while (records.usable() < all.length() / 2 && wrong.get() == null)
            {
                final long growable = records.growable();
                final long usable = records.usable();
                if (usable + growable < had)
                {
                    wrong.set("usable=" + usable + " growable=" + growable + " had=" + had);
                }
            }
        });
        growth.start();
        reader.start();
        while (records.usable() < all.length() / 2 && wrong.get() == null)
        {
            records.ensure(records.usable() + 4096);
            Thread.onSpinWait();
        }
        reader.join();
        assertEquals(null, wrong.get());
    }

    @Test
    void shouldGivePagesBackThatADeviceRefuses()
    {
        final long before = pages.committed();
        final int segments = memory.segments();
        onRegister = (range) ->
        {
            throw refusal();
        };
        assertThrows(VerbsException.class, () -> memory.add(records.end(), 8 * MIB, CommitPace.AT_ONCE));
        assertEquals(before, pages.committed());
        assertEquals(segments, memory.segments());
        assertEquals(Errno.EINTR, assertThrows(
            VerbsException.class, () -> memory.add(records.end(), 8 * MIB, stopping())).errno());
        assertEquals(before, pages.committed());
        onRegister = (range) -> {};
        memory.add(records.end(), 8 * MIB, CommitPace.AT_ONCE);
        assertEquals(before + 8 * MIB, pages.committed());
    }

    private static CommitPace stopping()
    {
        return new CommitPace()
        {
            @Override
            public long pieceLength()
            {
                return MIB;
            }

            @Override
            public boolean next(final long pieceNs)
            {
                return pieceNs == 0;
            }
        };
    }

    /** Whoever shares the core with the thread would miss it for long otherwise. */
    @Test
    void shouldMakeMemoryUsableInShortPieces() throws InterruptedException
    {
        final AtomicLong longest = new AtomicLong();
        final AtomicLong sum = new AtomicLong();
        onCommit = (length) ->
        {
            longest.accumulateAndGet(length, Math::max);
            sum.addAndGet(length);
        };
        final long before = memory.committed();
        growth.start();
        growTo(32 * MIB);
        assertEquals(MIB, longest.get());
        assertTrue(sum.get() >= memory.committed() - before, "sum=" + sum);
    }

    @Test
    void shouldEndAPassAtTheFirstRefusalAndTakeNoTinySegments() throws InterruptedException
    {
        growth.start();
        records.ensure(16 * MIB);
        await(() -> records.usable() >= 16 * MIB);
        final AtomicInteger tries = new AtomicInteger();
        final AtomicReference<Long> shortest = new AtomicReference<>(Long.MAX_VALUE);
        onRegister = (range) ->
        {
            tries.incrementAndGet();
            shortest.accumulateAndGet(range.length(), Math::min);
            throw refusal();
        };
        buckets.ensure(buckets.usable() + 4 * MIB);
        records.ensure(records.usable() + 8 * MIB);
        await(growth::isRefused);
        assertEquals(1, growth.refusals());
        assertTrue(shortest.get() >= plan.minSegment(), "shortest=" + shortest.get());
        assertTrue(records.isRefused());
        assertEquals(0, records.growable());
        await(() -> growth.refusals() == 2);

        onRegister = (range) -> {};
        await(() -> buckets.missing() == 0 && records.missing() == 0);
        assertFalse(growth.isRefused());
        assertEquals(null, failure.get());
    }

    @Test
    void shouldTakeWhatIsUnexpectedForARefusal() throws InterruptedException
    {
        growth.start();
        onRegister = (range) ->
        {
            throw new IllegalStateException("of the test");
        };
        records.ensure(records.usable() + MIB);
        await(records::isRefused);
        onRegister = (range) -> {};
        await(() -> records.missing() == 0);
    }

    @Test
    void shouldReportAnError() throws InterruptedException
    {
        growth.start();
        final Error error = new OutOfMemoryError("of the test");
        onRegister = (range) ->
        {
            throw error;
        };
        records.ensure(records.usable() + MIB);
        await(() -> failure.get() != null);
        assertEquals(error, failure.get());
    }

    @Test
    void shouldNotTakeABrokenShardForARefusal() throws InterruptedException
    {
        growth.start();
        onTold = () ->
        {
            throw refusal();
        };
        records.ensure(records.usable() + MIB);
        await(() -> records.missing() == 0);
        final long usable = records.usable();
        records.ensure(usable + MIB);
        await(() -> records.missing() == 0);
        assertEquals(0, growth.refusals());
        assertEquals(null, failure.get());
    }

    @Test
    void shouldHaveRoomInTheDirectoryWhateverIsRefused() throws InterruptedException
    {
        // All but the shortest segments are refused, again and again.
        onRegister = (range) ->
        {
            if (range.length() > 4 * plan.minSegment())
            {
                throw refusal();
            }
        };
        growth.start();
        final CountDownLatch full = new CountDownLatch(1);
        final Thread shards = new Thread(() ->
        {
            while (full.getCount() > 0)
            {
                for (final var part : List.of(records, buckets, (GrowingPart)shard.overflow()))
                {
                    part.ensure(part.usable() + 4096);
                }
                Thread.onSpinWait();
            }
        });
        shards.start();
        await(() -> growth.refusals() > 0 || records.growable() == 0);
        onRegister = (range) -> {};
        await(() -> records.growable() == 0 && !growth.isRefused());
        full.countDown();
        shards.join();
        assertTrue(memory.segments() < plan.directoryCapacity(), "segments=" + memory.segments());
    }

    /** Addresses of the directory's entries in a state. */
    private LongStream entries(final int state)
    {
        final long directory = memory.range().address() + memory.directory(0);
        return LongStream.range(0, UnsafeApi.getLong(directory + SegmentDirectoryDescriptor.COUNT_OFFSET))
            .map((i) -> directory + SegmentDirectoryDescriptor.entryOffset(i))
            .filter((entry) -> UnsafeApi.getInt(entry + SegmentDirectoryDescriptor.STATE_OFFSET) == state);
    }

    private long states(final int state)
    {
        return entries(state).count();
    }

    private long presentBytes()
    {
        return entries(SegmentDirectoryDescriptor.PRESENT)
            .map((entry) -> UnsafeApi.getLong(entry + SegmentDirectoryDescriptor.LENGTH_OFFSET)).sum();
    }

    private long generation()
    {
        return UnsafeApi.getLong(
            memory.range().address() + memory.directory(0) + SegmentDirectoryDescriptor.GENERATION_OFFSET);
    }

    /** As a shard does that has nothing at the end of its heap. */
    private long giveUp() throws InterruptedException
    {
        final long before = records.usable();
        await(() -> records.surplus() != PartMemory.NONE);
        assertTrue(records.giveUp(records.surplus()));
        assertTrue(records.usable() < before);
        return before - records.usable();
    }

    private void growTo(final long length) throws InterruptedException
    {
        while (records.usable() < length)
        {
            final long before = records.usable();
            records.ensure(before + 1);
            await(() -> records.usable() > before);
        }
    }

    @Test
    void shouldGiveBackWhatAHeapGaveUpOnceClientsForgotIt() throws InterruptedException
    {
        final AtomicReference<Runnable> confirm = new AtomicReference<>();
        final AtomicReference<RetiredMemory> announced = new AtomicReference<>();
        onRetired = (retired, then) ->
        {
            announced.set(retired);
            confirm.set(then);
        };
        growth.start();
        growTo(16 * MIB);
        final long pagesBefore = pages.committed();
        final int segments = memory.segments();
        final long length = giveUp();
        await(() -> confirm.get() != null);
        assertEquals(new RetiredMemory(1, 1, announced.get().splitPoints()), announced.get());
        // Whoever learns of segments from now on does not learn of it, though it is there.
        assertEquals(1, states(SegmentDirectoryDescriptor.REMOVED));
        assertEquals(segments - 1, states(SegmentDirectoryDescriptor.PRESENT));
        assertEquals(length, records.givenUp());
        Thread.sleep(20);
        assertEquals(pagesBefore, pages.committed());
        assertEquals(PartMemory.NONE, records.surplus());

        confirm.get().run();
        await(() -> records.givenBack() == length);
        assertEquals(0, records.givenUp());
        assertEquals(pagesBefore - length, pages.committed());
        assertEquals(segments - 1, memory.segments());
        await(() -> records.surplus() != PartMemory.NONE);

        growTo(16 * MIB);
        assertEquals(segments, memory.segments());
        assertEquals(segments, states(SegmentDirectoryDescriptor.PRESENT));
        assertEquals(0, generation());
    }

    @Test
    void shouldTakeBackWhatWasGivenUpAndIsStillThere() throws InterruptedException
    {
        final AtomicReference<Runnable> confirm = new AtomicReference<>();
        onRetired = (retired, then) -> confirm.set(then);
        growth.start();
        growTo(16 * MIB);
        final long before = records.usable();
        final int segments = memory.segments();
        final long committed = memory.committed();
        giveUp();
        await(() -> confirm.get() != null);
        assertEquals(before - records.usable(), records.givenUp());
        records.ensure(records.usable() + 1);
        await(() -> records.usable() == before);
        assertEquals(0, records.givenUp());
        assertEquals(segments, states(SegmentDirectoryDescriptor.PRESENT));
        // Whoever has forgotten it learns that it is there.
        assertEquals(2, generation());

        confirm.get().run();
        Thread.sleep(20);
        assertEquals(0, records.givenBack());
        assertEquals(committed, memory.committed());
        assertEquals(segments, states(SegmentDirectoryDescriptor.PRESENT));
    }

    /** A shard that wants more than it gave up gets no segment behind one that clients have forgotten. */
    @Test
    void shouldAddNothingBehindWhatWasGivenUp() throws InterruptedException
    {
        final AtomicReference<Runnable> confirm = new AtomicReference<>();
        onRetired = (retired, then) -> confirm.set(then);
        growth.start();
        growTo(8 * MIB);
        giveUp();
        await(() -> confirm.get() != null);

        // While a segment of the index is made.
        final CountDownLatch isMade = new CountDownLatch(1);
        final CountDownLatch mayGoOn = new CountDownLatch(1);
        onRegister = (range) ->
        {
            onRegister = (other) -> {};
            isMade.countDown();
            awaitQuietly(mayGoOn);
        };
        buckets.ensure(buckets.usable() + MIB);
        isMade.await();
        final long wanted = records.usable() + records.givenUp() + MIB;
        records.ensure(wanted);
        mayGoOn.countDown();
        await(() -> records.usable() >= wanted);
        confirm.get().run();
        Thread.sleep(20);
        assertEquals(memory.segments(), states(SegmentDirectoryDescriptor.PRESENT));
        assertEquals(memory.committed(), presentBytes());
        assertEquals(0, records.givenBack());
        assertEquals(null, failure.get());
    }

    private static void awaitQuietly(final CountDownLatch latch)
    {
        try
        {
            latch.await();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    @Tag("full")
    @Test
    void shouldUseEntriesOfTheDirectoryAgain() throws InterruptedException
    {
        growth.start();
        growTo(4 * MIB);
        final int segments = memory.segments();
        for (int i = 0; i < plan.directoryCapacity() + 10; i++)
        {
            final long before = records.usable();
            final long given = records.givenBack();
            giveUp();
            await(() -> records.givenBack() > given);
            growTo(before);
        }
        assertTrue(generation() > 0 && generation() % 2 == 0, "generation=" + generation());
        assertEquals(memory.segments(), states(SegmentDirectoryDescriptor.PRESENT));
        assertTrue(memory.segments() <= segments + 10, "segments=" + memory.segments());
        assertEquals(null, failure.get());
        assertEquals(0, growth.refusals());
    }

    @Test
    void shouldNotGiveTheFirstSegmentUp() throws InterruptedException
    {
        growth.start();
        growTo(2 * MIB);
        final long first = plan.initialHeap(0);
        while (records.segments() > 1)
        {
            final long given = records.givenBack();
            giveUp();
            await(() -> records.givenBack() > given);
        }
        Thread.sleep(20);
        assertEquals(PartMemory.NONE, records.surplus());
        assertTrue(records.usable() > 0 && records.usable() <= first, "usable=" + records.usable());
    }
}
