package org.onesided.client.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** In the order of the planted errors in docs/cluster-model.md; then, whose turn it is to ask. */
class HeldLeaseTest
{
    private static final long LEASE = 1600;
    private static final long TURN = LEASE / 8;
    private static final long LIFE = 77;
    private static final long TERM = 3;

    /** Soon greater than the greatest number: times are compared by their difference. */
    private long nowNs = Long.MAX_VALUE - 1500;
    private final HeldLease held = new HeldLease(LIFE, LEASE, () -> nowNs);

    private boolean renew(final long term)
    {
        return held.onGrant(held.tryAsk(), LIFE, term);
    }

    @Test
    void shouldHoldNoneAtTheBeginning()
    {
        assertEquals(HeldLease.NONE, held.begin());
        assertFalse(held.isStillHeld(HeldLease.NONE));
        assertEquals(0, held.restNs(held.nowNs()));
    }

    @Test
    void shouldCountFromTheSending()
    {
        final HeldLease.Request request = held.tryAsk();
        nowNs += LEASE - 1;
        assertTrue(held.onGrant(request, LIFE, TERM));
        assertNotEquals(HeldLease.NONE, held.begin());
        assertEquals(1, held.restNs(held.nowNs()));
        nowNs++;
        assertEquals(HeldLease.NONE, held.begin());
    }

    @Test
    void shouldNotHoldALeaseWhoseGrantCameTooLate()
    {
        final HeldLease.Request request = held.tryAsk();
        nowNs += LEASE;
        held.onGrant(request, LIFE, TERM);
        assertEquals(HeldLease.NONE, held.begin());
    }

    @Test
    void shouldNotBelieveALookupThatWasPostedWithoutALease()
    {
        final long lease = held.begin();
        renew(TERM);
        assertFalse(held.isStillHeld(lease));
    }

    @Test
    void shouldNotBelieveALookupThatCompletedAfterTheLease()
    {
        renew(TERM);
        final long lease = held.begin();
        nowNs += LEASE - 1;
        assertTrue(held.isStillHeld(lease));
        nowNs++;
        assertFalse(held.isStillHeld(lease));
    }

    @Test
    void shouldBelieveALookupWhoseLeaseWasRenewed()
    {
        renew(TERM);
        final long lease = held.begin();
        nowNs += LEASE - 1;
        final HeldLease.Request request = held.tryAsk();
        nowNs += 10;
        held.onGrant(request, LIFE, TERM);
        assertTrue(held.isStillHeld(lease));
        nowNs += LEASE - 10;
        assertFalse(held.isStillHeld(lease));
    }

    @Test
    void shouldCountEachGrantFromItsOwnRequest()
    {
        final HeldLease.Request first = held.tryAsk();
        nowNs += LEASE - 10;
        final HeldLease.Request second = held.tryAsk();
        held.onGrant(first, LIFE, TERM);
        assertEquals(10, held.restNs(held.nowNs()));
        held.onGrant(first, LIFE, TERM);
        assertEquals(10, held.restNs(held.nowNs()));
        held.onGrant(second, LIFE, TERM);
        assertEquals(LEASE, held.restNs(held.nowNs()));
    }

    @Test
    void shouldNotShortenALeaseByAnEarlierGrant()
    {
        final HeldLease.Request first = held.tryAsk();
        nowNs += TURN;
        renew(TERM);
        held.onGrant(first, LIFE, TERM);
        assertEquals(LEASE, held.restNs(held.nowNs()));
    }

    @Test
    void shouldNotBelieveAGrantOfAnOlderTerm()
    {
        renew(TERM);
        nowNs += LEASE;
        assertFalse(renew(TERM - 1));
        assertFalse(renew(0));
        assertEquals(HeldLease.NONE, held.begin());
    }

    @Test
    void shouldNotTakeALeaseOfALaterTermForARenewal()
    {
        renew(TERM);
        final long lease = held.begin();
        renew(TERM + 1);
        assertFalse(held.isStillHeld(lease));
        assertTrue(held.isStillHeld(held.begin()));
    }

    /** A session that is attached to another memory may have asked. */
    @Test
    void shouldNotBelieveAGrantOfAnotherLife()
    {
        assertFalse(held.onGrant(held.tryAsk(), LIFE + 1, TERM));
        assertEquals(HeldLease.NONE, held.begin());
        assertTrue(renew(TERM), "its term is that of another memory, too");
    }

    @Test
    void shouldRefuseALeaseWithoutLength()
    {
        assertThrows(IllegalArgumentException.class, () -> new HeldLease(LIFE, 0, () -> 0));
    }

    @Test
    void shouldLetOneSessionAskAtATime()
    {
        final HeldLease.Request request = held.tryAsk();
        assertNull(held.tryAsk());
        assertFalse(held.mayAsk());
        held.onGrant(request, LIFE, TERM);
        assertTrue(held.mayAsk());
        assertNotNull(held.tryAsk());
    }

    @Test
    void shouldLetAnotherSessionAskAfterARefusal()
    {
        held.onRefused(held.tryAsk());
        final HeldLease.Request second = held.tryAsk();
        assertNotNull(second);
        held.onRefused(null);
        assertNull(held.tryAsk());
    }

    /** Whoever asked may rest, and its answer is not seen. */
    @Test
    void shouldLetTheNextSessionAskWhereOneSeesNoAnswerForLong()
    {
        renew(TERM);
        final HeldLease.Request first = held.tryAsk();
        nowNs += TURN - 1;
        assertNull(held.tryAsk());
        assertFalse(held.mayAsk());
        nowNs++;
        assertTrue(held.mayAsk());
        assertNotNull(held.tryAsk());
        assertNull(held.tryAsk());
        held.onRefused(first);
        assertNull(held.tryAsk(), "it is the second one's turn");
        held.onGrant(first, LIFE, TERM);
        assertNotNull(held.tryAsk());
    }

    /** The leader may be dead, which each session finds out for itself, all at the same time. */
    @Test
    void shouldLetAllAskWhereNoLeaseIsHeldAndOneGetsNoAnswerForLong()
    {
        held.tryAsk();
        nowNs += TURN - 1;
        assertNull(held.tryAsk());
        nowNs++;
        assertTrue(held.mayAsk());
        assertNotNull(held.tryAsk());
        final HeldLease.Request last = held.tryAsk();
        assertTrue(held.mayAsk());
        held.onGrant(last, LIFE, TERM);

        assertNotNull(held.tryAsk());
        assertNull(held.tryAsk(), "the first request is forgotten");
    }

    /** Whoever asks may rest, or have given up, before it sees the answer. */
    @Test
    void shouldLetOthersAskSoonWhereNoneIsHeldHoweverLongLeasesAre()
    {
        final long second = 1_000_000_000L;
        final HeldLease ofMinute = new HeldLease(LIFE, 60 * second, () -> nowNs);
        final HeldLease.Request first = ofMinute.tryAsk();
        nowNs += second / 20 - 1;
        assertFalse(ofMinute.mayAsk());
        nowNs++;
        assertTrue(ofMinute.mayAsk());
        ofMinute.onGrant(first, LIFE, TERM);
        final HeldLease.Request renewal = ofMinute.tryAsk();
        nowNs += 7 * second;
        assertFalse(ofMinute.mayAsk(), "a lease is held: nobody waits");
        ofMinute.onRefused(renewal);
        assertTrue(ofMinute.mayAsk());
    }
}
