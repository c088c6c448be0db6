package org.onesided.client.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.SplitPoint;
import org.onesided.protocol.table.Superblock;
import org.onesided.verbs.ThreadFence;

class ConfirmationTest
{
    private static final int SHARDS = 2;
    private static final int LEVELS = 4;
    private static final int FIRST_BUCKETS = 4;
    private static final long BUCKETS = 4096;
    private static final long OVERFLOW = BUCKETS + 64L * BucketDescriptor.LENGTH;
    private static final long HEAP = OVERFLOW + 4096;
    private static final long LENGTH = 1 << 20;
    private static final long SPLIT = SplitPoint.of(1, 3);
    private static final int SINGLE = 0;
    private static final int LANE = 1;

    private final ShardLayout layout =
        new ShardLayout(BUCKETS, FIRST_BUCKETS, LEVELS, OVERFLOW, 4, HEAP, LENGTH - HEAP);
    private final Table table =
        new Table(new Superblock(1, 2, 1, LENGTH, 3, 4, List.of(layout, layout)), 1, 0, (length) -> null);
    private final FakeWire wire = new FakeWire();
    private final Deadline deadline = new Deadline();
    private final CompletionLoop loop = new CompletionLoop(wire, FakeWire.silentChannel(), deadline, 0);
    private int forgets;
    private final Confirmation confirmation = new Confirmation(table, loop, () -> forgets++, 5);

    @AfterEach
    void close()
    {
        loop.close();
    }

    private void announce(final long epoch)
    {
        announce(epoch, 0);
    }

    private void announce(final long epoch, final long removal)
    {
        assertTrue(confirmation.announce(new RetiredMemory(epoch, removal, SPLIT, SplitPoint.START)));
    }

    /** As the life line does it. */
    private long confirmed()
    {
        if (confirmation.prepare())
        {
            assertTrue(ThreadFence.heavy());
        }
        return confirmation.confirmed();
    }

    private void post(final int lane)
    {
        loop.readsPosted(lane, 1);
    }

    private void complete(final int lane)
    {
        wire.complete(CompletionLoop.readId(lane));
        deadline.begin(1_000_000_000L);
        loop.awaitReads(lane);
    }

    @Test
    void shouldConfirmForASessionAtRestThatLooksBeforeItReads()
    {
        assertEquals(5, confirmed());
        announce(7);
        assertEquals(7, confirmed());
        assertTrue(table.isReadable(0, 0));

        confirmation.look();
        assertEquals(layout.firstInUse(SPLIT), table.firstInUse(0));
        assertFalse(table.isReadable(0, layout.firstInUse(SPLIT) - 1));
        assertTrue(table.isReadable(0, layout.firstInUse(SPLIT)));
        assertTrue(table.isReadable(1, 0));
    }

    @Test
    void shouldNotConfirmForASessionAmidAnOperation()
    {
        confirmation.look();
        announce(6);
        assertEquals(5, confirmed());
        confirmation.rest();
        assertEquals(6, confirmed());
    }

    @Test
    void shouldConfirmWithinALongOperation()
    {
        confirmation.look();
        announce(6);
        confirmation.look();
        assertEquals(6, confirmed());
        announce(7);
        assertEquals(6, confirmed());
        confirmation.look();
        assertEquals(7, confirmed());
    }

    @Test
    void shouldNotConfirmWhileAnOlderReadIsUnderWay()
    {
        confirmation.look();
        post(LANE);
        announce(6);
        confirmation.look();
        assertEquals(5, confirmed());
        // Those that are posted later are chosen by what is known.
        post(SINGLE);
        complete(LANE);
        assertEquals(5, confirmed());
        confirmation.look();
        assertEquals(6, confirmed());
    }

    @Test
    void shouldNotConfirmTheNewestWhileAReadIsOlder()
    {
        confirmation.look();
        post(LANE);
        announce(6);
        confirmation.look();
        complete(LANE);
        post(SINGLE);
        announce(7);
        confirmation.look();
        assertEquals(5, confirmed());
        complete(SINGLE);
        confirmation.look();
        assertEquals(7, confirmed());
    }

    /** A session at rest does not look, so it may see only a later announcement than the one that removes segments. */
    @Test
    void shouldForgetSegmentsOnceThoughItSawALaterAnnouncementOnly()
    {
        announce(6, 5);
        confirmation.look();
        assertEquals(0, forgets);
        confirmation.rest();
        announce(7, 7);
        assertEquals(7, confirmed());
        announce(8, 7);
        assertEquals(8, confirmed());
        assertEquals(0, forgets);
        confirmation.look();
        assertEquals(1, forgets);
        announce(9, 7);
        confirmation.look();
        assertEquals(1, forgets);
        announce(10, 10);
        confirmation.look();
        assertEquals(2, forgets);
    }

    @Test
    void shouldRefuseWhatCannotBe()
    {
        announce(6);
        assertFalse(confirmation.announce(new RetiredMemory(7, 8, SPLIT, SPLIT)));
        assertFalse(confirmation.announce(new RetiredMemory(7, -1, SPLIT, SPLIT)));
        assertFalse(confirmation.announce(new RetiredMemory(6, 0, SPLIT, SPLIT)));
        assertFalse(confirmation.announce(new RetiredMemory(-1, 0, SPLIT, SPLIT)));
        assertFalse(confirmation.announce(new RetiredMemory(7, 0, SPLIT)));
        assertFalse(confirmation.announce(new RetiredMemory(7, 0, SPLIT, SPLIT, SPLIT)));
        assertFalse(confirmation.announce(new RetiredMemory(7, 0, SplitPoint.of(LEVELS, 0), SPLIT)));
        assertFalse(confirmation.announce(new RetiredMemory(7, 0, -1, SPLIT)));
        assertEquals(SHARDS, table.shardCount());
        assertEquals(6, confirmed());
    }
}
