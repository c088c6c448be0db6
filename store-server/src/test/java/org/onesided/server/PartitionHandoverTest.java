package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.onesided.server.raft.Lead;

/** The steps by which a partition gets another leader, one by one. */
class PartitionHandoverTest
{
    private static final IllegalStateException NOT_TAKEN = new IllegalStateException("not taken");

    private final FakeLead lead = new FakeLead();
    private final List<CompletableFuture<Boolean>> releases = new ArrayList<>();

    /** Remembers what was asked of it. */
    private static final class FakeLead implements Lead
    {
        private boolean isLeading = true;
        private boolean isLedElsewhere;
        private boolean isDispensable = true;
        private List<Long> candidates = List.of(2L, 3L);
        private final List<String> calls = new ArrayList<>();
        private CompletableFuture<Void> last;

        @Override
        public boolean isLeading()
        {
            return isLeading;
        }

        @Override
        public boolean isLedElsewhere()
        {
            return isLedElsewhere;
        }

        @Override
        public boolean isDispensable()
        {
            return isDispensable;
        }

        @Override
        public List<Long> candidates()
        {
            return candidates;
        }

        @Override
        public CompletableFuture<Void> give(final long member, final long timeoutMs)
        {
            return call("give " + member);
        }

        @Override
        public CompletableFuture<Void> stepDown(final long timeoutMs)
        {
            return call("step down");
        }

        private CompletableFuture<Void> call(final String name)
        {
            calls.add(name);
            last = new CompletableFuture<>();
            return last;
        }
    }

    private CompletableFuture<Boolean> release()
    {
        releases.add(new CompletableFuture<>());
        return releases.get(releases.size() - 1);
    }

    private PartitionHandover toAny()
    {
        return PartitionHandover.toAny(lead, this::release);
    }

    @Test
    void shouldGiveLeadershipAwayOnceItIsReleased()
    {
        final PartitionHandover handover = toAny();
        handover.step(0);
        handover.step(1);
        assertEquals(1, releases.size());
        assertEquals(List.of(), lead.calls);
        releases.get(0).complete(true);
        handover.step(2);
        assertEquals(List.of("give 2"), lead.calls);
        lead.isLeading = false;
        lead.last.complete(null);
        handover.step(3);
        assertFalse(handover.isDone(), "nobody leads yet, and this member may have to vote");
        lead.isLedElsewhere = true;
        handover.step(4);
        assertTrue(handover.isDone() && handover.isHandedOver() && handover.isReleased());
    }

    @Test
    void shouldWaitForOthersBeforeItEndsAndNotForEver()
    {
        lead.isDispensable = false;
        final PartitionHandover handover = toAny();
        handover.step(0);
        handover.step(PartitionHandover.SYNC_NS - 1);
        assertEquals(0, releases.size());
        handover.step(PartitionHandover.SYNC_NS);
        assertEquals(1, releases.size());
        handover.step(PartitionHandover.RELEASE_NS);
        assertEquals(List.of("give 2"), lead.calls, "a release that takes too long is not waited for");
        assertFalse(handover.isReleased());
    }

    /** Ratis tells of an end with its locks held: the next call comes from the thread that makes the steps. */
    @Test
    void shouldTryTheNextMemberInAStepOfItsOwn()
    {
        final PartitionHandover handover = toAny();
        handover.step(0);
        releases.get(0).complete(true);
        handover.step(1);
        lead.last.completeExceptionally(NOT_TAKEN);
        assertEquals(List.of("give 2"), lead.calls);
        handover.step(2);
        assertEquals(List.of("give 2", "give 3"), lead.calls);
        lead.last.completeExceptionally(NOT_TAKEN);
        assertEquals(2, lead.calls.size());
        assertEquals(1, releases.size());
        handover.step(3);
        assertEquals(1, releases.size());
        assertTrue(handover.isDone(), "behind RELEASE it serves nobody, and the others elect sooner when it has ended");
        assertFalse(handover.isHandedOver());
    }

    @Test
    void shouldBeginAnewWithoutRelease()
    {
        final PartitionHandover handover = toAny();
        handover.step(0);
        releases.get(0).complete(false);
        for (int i = 1; i <= 2; i++)
        {
            handover.step(i);
            lead.last.completeExceptionally(NOT_TAKEN);
        }
        handover.step(3);
        handover.step(4);
        assertEquals(2, releases.size(), "as long as there is time");
        assertFalse(handover.isDone());
    }

    @Test
    void shouldHaveNothingToDoIfAnotherLeads()
    {
        final PartitionHandover handover = toAny();
        lead.isLeading = false;
        lead.isLedElsewhere = true;
        handover.step(0);
        assertTrue(handover.isDone() && handover.isHandedOver());
        assertEquals(0, releases.size());
    }

    @Test
    void shouldNotWaitLongForOthersThatStopToo()
    {
        final PartitionHandover handover = toAny();
        lead.candidates = List.of();
        handover.step(0);
        handover.step(PartitionHandover.LONELY_NS - 1);
        assertFalse(handover.isDone(), "a new leader has not heard of the others yet");
        handover.step(PartitionHandover.LONELY_NS);
        assertTrue(handover.isDone());
        assertFalse(handover.isHandedOver());
    }

    @Test
    void shouldNotWaitLongForALeaderThatNobodyElects()
    {
        final PartitionHandover handover = toAny();
        handover.step(1);
        lead.isLeading = false;
        handover.step(PartitionHandover.LONELY_NS);
        assertFalse(handover.isDone());
        handover.step(PartitionHandover.LONELY_NS + 1);
        assertTrue(handover.isDone());
        assertFalse(handover.isHandedOver());
    }

    @Test
    void shouldGiveLeadershipToTheWantedMemberFirst()
    {
        lead.isDispensable = false;
        final PartitionHandover handover = PartitionHandover.to(3, lead, this::release);
        handover.step(0);
        releases.get(0).complete(true);
        handover.step(1);
        assertEquals(List.of("give 3"), lead.calls);
        lead.last.completeExceptionally(NOT_TAKEN);
        handover.step(2);
        lead.last.completeExceptionally(NOT_TAKEN);
        handover.step(3);
        assertEquals(List.of("give 3", "give 2", "step down"), lead.calls, "this member cannot serve in its term");
        assertFalse(handover.isDone());
        lead.last.complete(null);
        assertTrue(handover.isDone());
        assertFalse(handover.isHandedOver());
    }
}
