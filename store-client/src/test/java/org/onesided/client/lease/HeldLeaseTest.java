package org.onesided.client.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** In the order of the planted errors in docs/cluster-model.md. */
class HeldLeaseTest
{
    private static final long LEASE = 1000;
    private static final long LIFE = 77;
    private static final long TERM = 3;

    /** Soon greater than the greatest number: times are compared by their difference. */
    private long nowNs = Long.MAX_VALUE - 1500;
    private final HeldLease held = new HeldLease(LEASE, () -> nowNs);

    @BeforeEach
    void setUp()
    {
        held.attach(LIFE);
    }

    private boolean renew(final long term)
    {
        return held.onGrant(held.beforeRequest(), LIFE, term);
    }

    @Test
    void shouldHoldNoneAtTheBeginning()
    {
        assertEquals(HeldLease.NONE, held.begin());
        assertFalse(held.isStillHeld(HeldLease.NONE));
        assertEquals(0, held.restNs());
    }

    @Test
    void shouldCountFromTheSending()
    {
        final long request = held.beforeRequest();
        nowNs += LEASE - 1;
        assertTrue(held.onGrant(request, LIFE, TERM));
        assertNotEquals(HeldLease.NONE, held.begin());
        assertEquals(1, held.restNs());
        nowNs++;
        assertEquals(HeldLease.NONE, held.begin());
    }

    @Test
    void shouldNotHoldALeaseWhoseGrantCameTooLate()
    {
        final long request = held.beforeRequest();
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
        final long request = held.beforeRequest();
        nowNs += 10;
        held.onGrant(request, LIFE, TERM);
        assertTrue(held.isStillHeld(lease));
        nowNs += LEASE - 10;
        assertFalse(held.isStillHeld(lease));
    }

    @Test
    void shouldTakeAGrantForItsOwnRequestOnly()
    {
        final long first = held.beforeRequest();
        nowNs += LEASE - 10;
        final long second = held.beforeRequest();
        assertTrue(held.onGrant(first, LIFE, TERM));
        assertEquals(10, held.restNs());
        assertFalse(held.onGrant(first, LIFE, TERM));
        assertTrue(held.onGrant(second, LIFE, TERM));
        assertEquals(LEASE, held.restNs());
        assertFalse(held.onGrant(second + 1, LIFE, TERM));
        assertFalse(held.onGrant(0, LIFE, TERM));
        assertFalse(held.onGrant(-1, LIFE, TERM));
    }

    @Test
    void shouldNotShortenALeaseByAnEarlierGrant()
    {
        final long first = held.beforeRequest();
        nowNs += 100;
        renew(TERM);
        held.onGrant(first, LIFE, TERM);
        assertEquals(LEASE, held.restNs());
    }

    @Test
    void shouldGiveUpTheOldestOfManyRequests()
    {
        final long first = held.beforeRequest();
        long last = first;
        for (int i = 0; i < 8; i++)
        {
            last = held.beforeRequest();
        }
        assertFalse(held.onGrant(first, LIFE, TERM));
        assertTrue(held.onGrant(last, LIFE, TERM));
    }

    @Test
    void shouldNotBelieveAGrantOfAnOlderTerm()
    {
        renew(TERM);
        nowNs += LEASE;
        assertFalse(renew(TERM - 1));
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

    @Test
    void shouldNotBelieveAGrantOfAnotherLife()
    {
        assertFalse(held.onGrant(held.beforeRequest(), LIFE + 1, TERM));
        assertEquals(HeldLease.NONE, held.begin());
    }

    @Test
    void shouldForgetEverythingWhenItAttachesAnew()
    {
        renew(TERM);
        final long lease = held.begin();
        final long request = held.beforeRequest();
        held.attach(LIFE);
        assertFalse(held.isStillHeld(lease));
        assertFalse(held.onGrant(request, LIFE, TERM));
        renew(TERM);
        assertFalse(held.isStillHeld(lease));
        assertTrue(held.isStillHeld(held.begin()));
    }

    @Test
    void shouldRefuseALeaseWithoutLength()
    {
        assertThrows(IllegalArgumentException.class, () -> new HeldLease(0, () -> 0));
    }
}
