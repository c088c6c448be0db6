package org.onesided.model;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.onesided.testing.TestSize;

/**
 * Rules by which records may be put, moved and deleted, their memory used anew, and readers may say what a key has.
 */
@Timeout(600)
class HeapModelTest
{
    private static final int PUTS = TestSize.of(2, 1);
    /** Puts that suffice to find each flaw. */
    private static final int PUTS_FOR_A_FLAW = 1;

    @Test
    void shouldReturnWhatTheKeyHad()
    {
        final HeapSearch search = new HeapSearch(null, PUTS, false);
        final String violation = search.violation();
        System.out.println("heap: " + search.states() + " states");
        assertNull(violation, violation);
    }

    @Tag("full")
    @Test
    void shouldReturnWhatTheKeyHadWhileAnotherKeyIsPutAndDeleted()
    {
        final String violation = new HeapSearch(null, PUTS_FOR_A_FLAW, true).violation();
        assertNull(violation, violation);
    }

    @ParameterizedTest
    @EnumSource(
        names = {"COLLISION_BELIEVED", "COLLISION_BELIEVED_ON_EQUAL_VERSION"}, mode = EnumSource.Mode.EXCLUDE)
    void shouldFindEachFlaw(final HeapFlaw flaw)
    {
        assertNotNull(new HeapSearch(flaw, PUTS_FOR_A_FLAW, false).violation());
    }

    /** They take much longer than the others. */
    @Tag("full")
    @ParameterizedTest
    @EnumSource(names = {"COLLISION_BELIEVED", "COLLISION_BELIEVED_ON_EQUAL_VERSION"})
    void shouldFindEachFlawOfACollision(final HeapFlaw flaw)
    {
        assertNotNull(new HeapSearch(flaw, PUTS_FOR_A_FLAW, false).violation());
    }
}
