package org.onesided.client.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.bootstrap.AttachFailedException.Kind;
import org.onesided.client.bootstrap.BootstrapConnection;
import org.onesided.client.session.FakeWire;
import org.onesided.client.session.PendingRequests;
import org.onesided.client.session.Resources;
import org.onesided.client.session.SessionParts;
import org.onesided.client.session.TestMemory;
import org.onesided.verbs.QueuePair;

/**
 * Requests that go from one attachment to the next.
 */
class RequestsTest
{
    private static final int CREDITS = 4;
    private static final int MESSAGE_LENGTH = 256;

    private final TestMemory memory = new TestMemory();
    private final Resources resources = new Resources();
    private final List<Integer> lost = new ArrayList<>();
    private final Requests requests =
        new Requests((slots, slot) -> lost.add(slot), (SingleAnswers)(slots, slot, answer, result) -> { });

    @AfterEach
    void free()
    {
        resources.close();
        memory.close();
    }

    private PendingRequests.Link link(
        final boolean isResumed, final int shards, final int credits, final int messageLength)
        throws AttachFailedException
    {
        return link(SessionParts.welcome(shards, credits, messageLength, isResumed));
    }

    private PendingRequests.Link link(final BootstrapConnection.Welcome welcome) throws AttachFailedException
    {
        final int shards = welcome.shards();
        final FakeWire wire = new FakeWire();
        final QueuePair[] queuePairs = new QueuePair[shards];
        Arrays.fill(queuePairs, wire);
        return requests.link(
            welcome,
            queuePairs,
            resources.add(SessionParts.loop(wire, SessionParts.deadline(1))),
            memory.buffer(requests.spaceLength(welcome)),
            0,
            (owner, length) -> memory.buffer(length),
            resources);
    }

    @Test
    void shouldKeepItsSlotsOverAnAttachmentThatResumesTheSession() throws AttachFailedException
    {
        link(false, 1, CREDITS, MESSAGE_LENGTH).takeOver();
        final RequestSlots slots = requests.slots();
        final Rpc first = requests.rpc();
        requests.detached();
        assertNull(requests.rpc());
        link(true, 1, CREDITS, MESSAGE_LENGTH).takeOver();

        assertSame(slots, requests.slots());
        assertNotSame(first, requests.rpc());
        assertEquals(List.of(), lost);
    }

    /** What was lent is at that place in the former memory only. */
    @ParameterizedTest
    @CsvSource({"1, 4096", "2, 0"})
    void shouldOweExtentsOnlyInTheMemoryThatTheyAreIn(final long memoryId, final long owed)
        throws AttachFailedException
    {
        link(SessionParts.welcome(1, CREDITS, MESSAGE_LENGTH, false, 1)).takeOver();
        requests.slots().owed().owe(0, 4096);
        requests.detached();
        link(SessionParts.welcome(1, CREDITS, MESSAGE_LENGTH, true, memoryId)).takeOver();

        assertEquals(owed, requests.slots().owed().of(0));
    }

    @Test
    void shouldChangeNothingBeforeALinkTakesOver() throws AttachFailedException
    {
        link(false, 1, CREDITS, MESSAGE_LENGTH).takeOver();
        final RequestSlots slots = requests.slots();
        final Rpc first = requests.rpc();
        final PendingRequests.Link next = link(false, 1, CREDITS, MESSAGE_LENGTH);
        assertSame(slots, requests.slots());
        assertSame(first, requests.rpc());

        next.takeOver();
        assertNotSame(slots, requests.slots());
    }

    @Test
    void shouldTellOfWritesThatAreLostWithTheirSession() throws AttachFailedException
    {
        link(false, 1, CREDITS, MESSAGE_LENGTH).takeOver();
        final int slot = requests.slots().next(0);
        requests.slots().stage(slot, 1, true);
        link(false, 1, CREDITS, MESSAGE_LENGTH).takeOver();

        assertEquals(List.of(slot), lost);
    }

    @ParameterizedTest
    @CsvSource({"2, 4, 256", "1, 5, 256", "1, 4, 512"})
    void shouldNotResumeWithOtherLimits(final int shards, final int credits, final int messageLength)
        throws AttachFailedException
    {
        link(false, 1, CREDITS, MESSAGE_LENGTH).takeOver();

        requests.slots().stage(requests.slots().next(0), 1, true);
        assertTrue(requests.hasPendingWrites());

        assertEquals(Kind.TRANSIENT, assertThrows(
            AttachFailedException.class, () -> link(true, shards, credits, messageLength)).kind());
        assertFalse(requests.hasPendingWrites(), "the same would come of the next attempt to resume");
        link(false, shards, credits, messageLength).takeOver();
        assertEquals(List.of(0), lost);
        requests.slots().stage(requests.slots().next(0), 1, true);
        assertTrue(requests.hasPendingWrites());
    }
}
