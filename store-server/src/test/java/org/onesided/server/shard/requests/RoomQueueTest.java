package org.onesided.server.shard.requests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.KeyHash;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.Superblock;
import org.onesided.server.shard.ShardCounters;
import org.onesided.server.shard.execution.Request;
import org.onesided.server.table.GrowthPlan;
import org.onesided.server.table.LongPuts;
import org.onesided.server.table.ShardTable;
import org.onesided.server.table.WriteResult;
import org.onesided.verbs.NativeArray;

/**
 * Who is tried, and when. What room there is, each owner says itself.
 */
class RoomQueueTest
{
    private static final long WAIT_NS = TimeUnit.SECONDS.toNanos(100);
    private static final int LONG = 300 << 10;
    private static final Superblock SUPERBLOCK = GrowthPlan.of(1 << 20, 1, 1, 4096).superblock(1, 2, 3, 4);

    private final NativeArray memory = new NativeArray(SUPERBLOCK.regionLength());
    private final ShardCounters counters = new ShardCounters(false);
    private final ShardTable table = new ShardTable(memory.range(), SUPERBLOCK, 0, 1);
    private long nowNs = System.nanoTime();
    /** What each look at the clock takes. */
    private long lookNs;
    private final RoomQueue queue = new RoomQueue(table, counters, WAIT_NS, () -> nowNs += lookNs);
    private final Owner owner = new Owner();
    private final Map<Request, String> names = new HashMap<>();

    private static final class Owner implements RoomOwner
    {
        private final List<Request> tried = new ArrayList<>();
        private final List<Request> refused = new ArrayList<>();
        private final Map<Request, Outcome> outcomes = new HashMap<>();
        private final Map<Request, Long> lengths = new HashMap<>();
        private Runnable onRetry = () -> { };

        @Override
        public Outcome retry(final Request request)
        {
            tried.add(request);
            onRetry.run();
            return outcomes.getOrDefault(request, Outcome.NO_ROOM);
        }

        @Override
        public long neededLength(final Request request)
        {
            return lengths.get(request);
        }

        @Override
        public boolean giveUp(final Request request)
        {
            refused.add(request);
            return true;
        }

        @Override
        public void onError(final RuntimeException e)
        {
            throw e;
        }
    }

    @AfterEach
    void free()
    {
        memory.close();
    }

    private Request add(final String name, final long length, final long waitedNs)
    {
        final Request request = new Request();
        request.decode(0, memory.range().address(), 0, nowNs - waitedNs);
        names.put(request, name);
        owner.lengths.put(request, length);
        queue.add(owner, request);
        return request;
    }

    /** Who is tried in a step, in the order of the first attempts. */
    private List<String> step()
    {
        owner.tried.clear();
        queue.step(true, false);
        return owner.tried.stream().distinct().map(names::get).toList();
    }

    @Test
    void shouldTryNoneThatIsAsLongAsOneThatHasNoRoom()
    {
        add("short", 100, 0);
        add("long", 200, 0);
        add("shorter", 50, 0);

        assertEquals(List.of("short", "shorter"), step());
    }

    @Test
    void shouldLetAPutThatItsSessionHoldsBackHoldUpNobody()
    {
        owner.outcomes.put(add("held back", 100, 0), RoomOwner.Outcome.NOT_NOW);
        owner.outcomes.put(add("long", 200, 0), RoomOwner.Outcome.DONE);

        assertEquals(List.of("held back", "long"), step());
        assertEquals(1, counters.get(ShardCounters.WAITING_FOR_ROOM));
        assertEquals(List.of("held back"), step());
    }

    @Test
    void shouldLetAPutThatWaitsForTheIndexHoldUpNobody()
    {
        owner.outcomes.put(add("for the index", 100, 0), RoomOwner.Outcome.NO_INDEX);
        add("for the heap", 200, 0);
        add("longer", 300, 0);

        assertEquals(List.of("for the index", "for the heap"), step());
    }

    /** An append needs more when others have made the value longer meanwhile. */
    @Test
    void shouldAskAgainHowMuchRoomIsNeeded()
    {
        final Request first = add("append", 100, 0);
        add("put", 200, 0);
        assertEquals(List.of("append"), step());

        owner.lengths.put(first, 300L);
        assertEquals(List.of("append", "put"), step());
    }

    /** Of a heap of 1 MiB that is half full, everywhere, a put wants a third. */
    private void scatter()
    {
        final KeyHash keyHash = new KeyHash(SUPERBLOCK.hashSeed());
        final WriteResult result = new WriteResult();
        try (NativeArray bytes = new NativeArray(Long.BYTES + 100))
        {
            final long key = bytes.range().address();
            int count = 0;
            while (put(keyHash.hash(key(key, count), Long.BYTES), key, result) == Status.OK)
            {
                count++;
                table.grow(16);
            }
            for (int i = 0; i < count; i += 2)
            {
                assertEquals(Status.OK,
                    table.delete(keyHash.hash(key(key, i), Long.BYTES), key, Long.BYTES, result));
            }
        }
        add("long", RecordDescriptor.length(Long.BYTES, LONG), 0);
    }

    private Status put(final long hash, final long key, final WriteResult result)
    {
        return table.put(hash, key, Long.BYTES, key + Long.BYTES, 100, result);
    }

    private static long key(final long key, final long number)
    {
        UnsafeApi.putLong(key, number);
        return key;
    }

    private long movedIn(final boolean isBusy)
    {
        final long before = table.statistics().recordsMoved();
        queue.step(isBusy, false);
        return table.statistics().recordsMoved() - before;
    }

    /** A slice moves up to 7 records. */
    @Test
    void shouldMakeRoomForABoundedTimeAndForLessWhileRequestsCome()
    {
        scatter();
        lookNs = TimeUnit.MICROSECONDS.toNanos(5);
        for (int i = 0; movedIn(true) == 0; i++)
        {
            assertTrue(i < 100, "no step moves records");
        }
        final long busy = movedIn(true);
        assertTrue(busy > 7 && busy <= 5 * 7, "moved=" + busy);
        final long justAfter = movedIn(false);
        assertTrue(justAfter > 7 && justAfter <= 5 * 7, "moved=" + justAfter);
        nowNs += TimeUnit.MILLISECONDS.toNanos(1);
        final long quiet = movedIn(false);
        assertTrue(quiet > 10 * 7 && quiet <= 21 * 7, "moved=" + quiet);
    }

    /** Requests of the next round come too late for it. */
    @Test
    void shouldGiveRoomInTheSameRoundToThePutForWhichItWasMade()
    {
        scatter();
        final KeyHash keyHash = new KeyHash(SUPERBLOCK.hashSeed());
        try (NativeArray bytes = new NativeArray(Long.BYTES))
        {
            final long key = key(bytes.range().address(), -1);
            final long hash = keyHash.hash(key, Long.BYTES);
            owner.onRetry = () -> owner.outcomes.put(owner.tried.get(owner.tried.size() - 1),
                table.longPuts().reserve(hash, key, Long.BYTES, LONG) > 0 ? RoomOwner.Outcome.DONE :
                    RoomOwner.Outcome.NO_ROOM);
            for (int i = 0; counters.get(ShardCounters.WAITING_FOR_ROOM) > 0; i++)
            {
                assertTrue(i < 1000, "there is no room");
                assertEquals(LongPuts.WAIT, table.longPuts().reserve(hash, key, Long.BYTES, LONG));
                queue.step(true, false);
            }
        }
    }

    @Test
    void shouldTryAPutOnceMoreBeforeItIsRefused()
    {
        add("short", 100, 0);
        final Request late = add("late", 200, 2 * WAIT_NS);
        final Request later = add("later", 300, 2 * WAIT_NS);
        owner.outcomes.put(late, RoomOwner.Outcome.DONE);

        assertEquals(List.of("short", "late", "later"), step());
        assertEquals(List.of(later), owner.refused);
        assertEquals(1, counters.get(ShardCounters.WAITING_FOR_ROOM));
    }

    @Test
    void shouldTryNewcomersBehindThoseThatWaited()
    {
        add("first", 300, 0);
        add("second", 200, 0);
        owner.onRetry = () ->
        {
            owner.onRetry = () -> { };
            add("new", 100, 0);
        };
        step();

        assertEquals(List.of("first", "second", "new"), step());
    }

    @Test
    void shouldSayWhenTheFirstWaitEnds()
    {
        assertEquals(Long.MAX_VALUE, queue.sleepNs());
        add("young", 100, 0);
        add("old", 100, WAIT_NS / 2);
        assertTrue(queue.sleepNs() <= WAIT_NS / 2, "ns=" + queue.sleepNs());
        add("over", 100, 2 * WAIT_NS);
        assertEquals(TimeUnit.MILLISECONDS.toNanos(1), queue.sleepNs());
    }
}
