package org.onesided.model;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rules by which clients may believe what they READ from the memory of a cluster's leader.
 */
@Timeout(600)
class LeaseModelTest
{
    /** Two clients; grants and READs that take time; a restart; a RELEASE; a lease of more than one tick. */
    static final List<LeaseBounds> SMALLEST = List.of(
        new LeaseBounds(2, 2, 1, 0, 0, 3, 1, false, true),
        LeaseBounds.SLOW,
        LeaseBounds.RESTART,
        LeaseBounds.RELEASE,
        new LeaseBounds(1, 2, 1, 0, 0, 3, 4, false, true));
    /** Two changes of leader; the same together. */
    static final List<LeaseBounds> SMALL = List.of(
        new LeaseBounds(1, 3, 1, 0, 0, 4, 1, false, true),
        new LeaseBounds(2, 2, 1, 1, 1, 3, 1, false, true),
        LeaseBounds.TWO_CHANGES,
        new LeaseBounds(1, 2, 1, 1, 1, 3, 1, true, true),
        new LeaseBounds(1, 2, 1, 0, 0, 3, 4, false, true));
    /**
     * Two clients and two changes of leader; slow messages and a longer log; two writes and a lease of four ticks; a
     * leader that serves without a wait and hands over itself.
     */
    static final List<LeaseBounds> LARGE = List.of(
        new LeaseBounds(2, 3, 1, 1, 0, 4, 1, false, true),
        new LeaseBounds(1, 2, 1, 1, 1, 4, 1, true, true),
        new LeaseBounds(1, 2, 2, 1, 1, 4, 4, false, true),
        LeaseBounds.TWO_HANDOVERS);

    @ParameterizedTest
    @FieldSource("SMALLEST")
    void shouldReturnWhatIsSo(final LeaseBounds bounds)
    {
        search(null, bounds);
    }

    @Tag("full")
    @ParameterizedTest
    @FieldSource("SMALL")
    void shouldReturnWhatIsSoWhereMuchHappens(final LeaseBounds bounds)
    {
        search(null, bounds);
    }

    @Tag("full")
    @ParameterizedTest
    @FieldSource("LARGE")
    void shouldReturnWhatIsSoInALargerSearch(final LeaseBounds bounds)
    {
        search(null, bounds);
    }

    @ParameterizedTest
    @EnumSource(names = "SKIPPED_BY_OLDER_RELEASE", mode = EnumSource.Mode.EXCLUDE)
    void shouldFindEachFlaw(final LeaseFlaw flaw)
    {
        assertNotNull(new LeaseSearch(flaw, null, flaw.bounds()).violation());
    }

    /** It takes longer than all others. */
    @Tag("full")
    @Test
    void shouldFindTheFlawOfALongLog()
    {
        final LeaseFlaw flaw = LeaseFlaw.SKIPPED_BY_OLDER_RELEASE;
        assertNotNull(new LeaseSearch(flaw, null, flaw.bounds()).violation());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void shouldFindAWaitThatIsOneTickTooShort(final int ticks)
    {
        final LeaseBounds bounds = new LeaseBounds(1, 2, 1, 0, 0, 3, ticks, false, true);
        assertNotNull(new LeaseSearch(LeaseFlaw.WAIT_TOO_SHORT, null, bounds).violation());
    }

    @ParameterizedTest
    @EnumSource(names = {"PROOF_WHILE_WAITING_AND_NO_WRITES", "GRANT_AFTER_RELEASE"})
    void shouldAllowARelaxation(final LeaseRelaxation relaxation)
    {
        search(relaxation, new LeaseBounds(1, 2, 1, 1, 0, 4, 1, false, true));
    }

    @Tag("full")
    @ParameterizedTest
    @EnumSource(LeaseRelaxation.class)
    void shouldAllowARelaxationOverTwoChanges(final LeaseRelaxation relaxation)
    {
        final boolean isOfReads = relaxation == LeaseRelaxation.LEASE_OF_LATER_TERM;
        search(relaxation, new LeaseBounds(1, 3, 1, isOfReads ? 0 : 1, 0, 4, 1, isOfReads, true));
    }

    private static void search(final LeaseRelaxation relaxation, final LeaseBounds bounds)
    {
        final LeaseSearch search = new LeaseSearch(null, relaxation, bounds);
        final String violation = search.violation();
        System.out.println("leases: " + search.states() + " states, " + bounds);
        assertNull(violation, violation);
    }
}
