package org.onesided.server.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.protocol.table.Superblock;
import org.onesided.server.table.GrowthPlan;
import org.onesided.server.table.ShardTable;
import org.onesided.verbs.NativeArray;

/**
 * Who is tried, and when. What room there is, each owner says itself.
 */
class RoomQueueTest
{
    private static final long WAIT_NS = TimeUnit.SECONDS.toNanos(100);
    private static final Superblock SUPERBLOCK = GrowthPlan.of(1 << 20, 1, 1, 4096).superblock(1, 2, 3, 4);

    private final NativeArray memory = new NativeArray(SUPERBLOCK.regionLength());
    private final ShardCounters counters = new ShardCounters(false);
    private final RoomQueue queue =
        new RoomQueue(new ShardTable(memory.range(), SUPERBLOCK, 0, 1), counters, WAIT_NS);
    private final Owner owner = new Owner();
    private final Map<Request, String> names = new HashMap<>();

    private static final class Owner implements RoomOwner
    {
        private final List<Request> tried = new ArrayList<>();
        private final List<Request> refused = new ArrayList<>();
        private final Map<Request, Outcome> outcomes = new HashMap<>();
        private Runnable onRetry = () -> { };

        @Override
        public Outcome retry(final Request request)
        {
            tried.add(request);
            onRetry.run();
            return outcomes.getOrDefault(request, Outcome.NO_ROOM);
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
        request.decode(0, memory.range().address(), 0, System.nanoTime() - waitedNs);
        names.put(request, name);
        queue.add(owner, request, length);
        return request;
    }

    /** Who is tried in a step, in the order of the first attempts. */
    private List<String> step()
    {
        owner.tried.clear();
        queue.step(true);
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
