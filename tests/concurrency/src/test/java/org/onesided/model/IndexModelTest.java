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
 * Rules by which an index may split, chains may mend themselves, and readers may say that a key is absent.
 */
@Timeout(600)
class IndexModelTest
{
    private static final int OPERATIONS = TestSize.of(3, 2);
    /** Operations of the writer that suffice to find each flaw. */
    private static final int OPERATIONS_FOR_A_FLAW = 2;

    @Test
    void shouldMissNoKeyThatIsThere()
    {
        final IndexSearch search = new IndexSearch(null, OPERATIONS);
        final String violation = search.violation(1);
        System.out.println("index: " + search.states() + " states");
        assertNull(violation, violation);
    }

    @Tag("full")
    @Test
    void shouldMissNoKeyOfALongChain()
    {
        final String violation = new IndexSearch(null, OPERATIONS_FOR_A_FLAW).violation(2);
        assertNull(violation, violation);
    }

    @ParameterizedTest
    @EnumSource(names = {"MOVE_WITHOUT_TAG", "MOVE_TAG_FIRST", "MOVE_TAG_LAST"}, mode = EnumSource.Mode.EXCLUDE)
    void shouldFindEachFlaw(final Flaw flaw)
    {
        assertNotNull(new IndexSearch(flaw, OPERATIONS_FOR_A_FLAW).violation(2));
    }

    /** They take much longer than the others. */
    @Tag("full")
    @ParameterizedTest
    @EnumSource(names = {"MOVE_WITHOUT_TAG", "MOVE_TAG_FIRST", "MOVE_TAG_LAST"})
    void shouldFindEachFlawOfATag(final Flaw flaw)
    {
        assertNotNull(new IndexSearch(flaw, OPERATIONS_FOR_A_FLAW).violation(2));
    }
}
