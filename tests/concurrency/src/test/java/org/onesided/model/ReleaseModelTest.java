package org.onesided.model;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.onesided.testing.TestSize;

/**
 * Rules by which a session confirms that the server may give memory back, whether it reads or is at rest.
 */
@Timeout(300)
class ReleaseModelTest
{
    private static final int PIECES = TestSize.of(3, 2);
    private static final int LOOKS = TestSize.of(5, 4);

    @Test
    void shouldReadNoMemoryThatIsGone()
    {
        final ReleaseSearch search = new ReleaseSearch(null, PIECES, LOOKS);
        final String violation = search.violation();
        System.out.println("release: " + search.states() + " states");
        assertNull(violation, violation);
    }

    @ParameterizedTest
    @EnumSource(ReleaseFlaw.class)
    void shouldFindEachFlaw(final ReleaseFlaw flaw)
    {
        assertNotNull(new ReleaseSearch(flaw, PIECES, LOOKS).violation());
    }
}
