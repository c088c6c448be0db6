package org.onesided.server.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** In the order of the rules and planted errors in docs/cluster-model.md. */
class LeaderLeasesTest
{
    private static final long LEASE = 1000;
    private static final long WAIT = 1250;
    private static final long LIFE = 77;
    private static final long TERM = 3;
    private static final long CLIENT = 5;

    private final List<LeaseGrant> granted = new ArrayList<>();
    private long nowNs = Long.MAX_VALUE - 2000;
    private final LeaderLeases leases = new LeaderLeases(LeaseTime.of(LEASE), LIFE, () -> nowNs, granted::add);

    private void lead()
    {
        leases.onLeading(TERM, false);
        nowNs += WAIT;
    }

    private void prove()
    {
        leases.onProposed(leases.mayAnswer());
        leases.onApplied(TERM);
    }

    @Test
    void shouldGrantWithAProofThatCameAfterTheRequest()
    {
        lead();
        assertTrue(leases.request(CLIENT, 9));
        assertTrue(leases.needsProof());
        leases.onProposed(leases.mayAnswer());
        assertFalse(leases.needsProof());
        assertEquals(List.of(), granted);
        leases.onApplied(TERM);
        assertEquals(List.of(new LeaseGrant(CLIENT, 9, LIFE, TERM)), granted);
    }

    @Test
    void shouldNotGrantWithAProofThatWasProposedBeforeTheRequest()
    {
        lead();
        leases.onProposed(leases.mayAnswer());
        leases.request(CLIENT, 9);
        leases.onApplied(TERM);
        assertEquals(List.of(), granted);
        assertTrue(leases.needsProof());
    }

    @Test
    void shouldUseAProofOnce()
    {
        lead();
        leases.request(CLIENT, 9);
        prove();
        granted.clear();
        leases.request(CLIENT, 10);
        assertEquals(List.of(), granted);
        leases.onApplied(TERM);
        assertEquals(List.of(), granted);
    }

    @Test
    void shouldServeAllRequestsWithOneProof()
    {
        lead();
        leases.request(1, 9);
        leases.request(2, 4);
        prove();
        assertEquals(List.of(new LeaseGrant(1, 9, LIFE, TERM), new LeaseGrant(2, 4, LIFE, TERM)), granted);
    }

    @Test
    void shouldTakeEntriesForProofsInTheirOrder()
    {
        lead();
        leases.request(1, 1);
        leases.onProposed(leases.mayAnswer());
        leases.request(2, 2);
        leases.onProposed(leases.mayAnswer());
        leases.onApplied(TERM);
        assertEquals(List.of(new LeaseGrant(1, 1, LIFE, TERM)), granted);
        leases.onApplied(TERM);
        assertEquals(2, granted.size());
    }

    @Test
    void shouldGrantTheLatestRequestOfAClientOnly()
    {
        lead();
        leases.request(CLIENT, 9);
        leases.request(CLIENT, 10);
        prove();
        assertEquals(List.of(new LeaseGrant(CLIENT, 10, LIFE, TERM)), granted);
    }

    @Test
    void shouldWaitAQuarterLongerThanALeaseBeforeItAnswers()
    {
        assertFalse(leases.mayAnswer());
        assertEquals(Long.MAX_VALUE, leases.restNs());
        leases.onLeading(TERM, false);
        assertFalse(leases.mayAnswer());
        nowNs += WAIT - 1;
        assertFalse(leases.mayAnswer());
        assertEquals(1, leases.restNs());
        nowNs++;
        assertTrue(leases.mayAnswer());
        assertEquals(0, leases.restNs());
    }

    @Test
    void shouldNotTakeAnEntryOfItsWaitForAProof()
    {
        leases.onLeading(TERM, false);
        leases.request(CLIENT, 9);
        assertFalse(leases.needsProof());
        leases.onProposed(leases.mayAnswer());
        nowNs += WAIT;
        leases.onApplied(TERM);
        assertEquals(List.of(), granted);
        assertTrue(leases.needsProof());
        prove();
        assertEquals(1, granted.size());
    }

    @Test
    void shouldNotGrantWithAnEntryOfAnOlderTerm()
    {
        lead();
        leases.request(CLIENT, 9);
        leases.onProposed(leases.mayAnswer());
        leases.onApplied(TERM - 1);
        assertEquals(List.of(), granted);
        leases.onApplied(TERM);
        assertEquals(1, granted.size());
    }

    @Test
    void shouldGrantNothingOnceItIsDeposed()
    {
        lead();
        leases.request(CLIENT, 9);
        leases.onProposed(leases.mayAnswer());
        leases.onDeposed();
        leases.onApplied(TERM);
        assertFalse(leases.request(CLIENT, 10));
        assertFalse(leases.mayAnswer());
        leases.onLeading(TERM + 2, false);
        nowNs += WAIT;
        leases.onProposed(leases.mayAnswer());
        leases.onApplied(TERM + 2);
        assertEquals(List.of(), granted);
    }

    @Test
    void shouldReleaseWhenNoLeaseCanBeHeldAnyMore()
    {
        lead();
        leases.request(CLIENT, 9);
        prove();
        assertFalse(leases.tryRelease());
        nowNs += WAIT - 1;
        assertFalse(leases.tryRelease());
        nowNs++;
        assertTrue(leases.tryRelease());
        assertTrue(leases.mayAnswer());
    }

    @Test
    void shouldGrantNothingWhileItReleases()
    {
        lead();
        leases.request(CLIENT, 9);
        leases.onProposed(leases.mayAnswer());
        leases.tryRelease();
        leases.onApplied(TERM);
        assertTrue(leases.request(CLIENT, 10), "it waits for the next leader");
        assertFalse(leases.needsProof());
        prove();
        nowNs += WAIT;
        assertTrue(leases.tryRelease());
        prove();
        assertEquals(List.of(), granted);
        leases.onLeading(TERM + 2, true);
        leases.request(CLIENT, 11);
        leases.onProposed(leases.mayAnswer());
        leases.onApplied(TERM + 2);
        assertEquals(List.of(new LeaseGrant(CLIENT, 11, LIFE, TERM + 2)), granted);
    }

    @Test
    void shouldNotReleaseDuringItsOwnWait()
    {
        leases.onLeading(TERM, false);
        nowNs += WAIT - 1;
        assertFalse(leases.tryRelease());
        assertTrue(leases.request(CLIENT, 9));
    }

    @Test
    void shouldNotWaitAfterARelease()
    {
        leases.onLeading(TERM, true);
        assertTrue(leases.mayAnswer());
        leases.request(CLIENT, 9);
        prove();
        assertEquals(1, granted.size());
    }

    @Test
    void shouldRefuseAWaitThatIsTooShort()
    {
        assertEquals(1250, LeaseTime.of(1000).waitNs());
        assertEquals(2, LeaseTime.of(1).waitNs());
        assertEquals(7, LeaseTime.of(5).waitNs());
        assertThrows(IllegalArgumentException.class, () -> new LeaseTime(5, 6));
        assertThrows(IllegalArgumentException.class, () -> LeaseTime.of(0));
    }
}
