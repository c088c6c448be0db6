package org.onesided.model;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Rules by which a write that is sent again, to whichever server leads, takes effect once.
 */
@Timeout(600)
class ResendModelTest
{
    /** A resumed session and a killed server; two clients; queues that are dropped, over two changes of leader. */
    static final List<ResendBounds> SMALL = List.of(
        new ResendBounds(2, 0, 2, 1, 4, true, false),
        ResendBounds.TWO_CLIENTS,
        new ResendBounds(1, 0, 3, 0, 5, true, true));
    /** Two clients and killed servers; sessions that are resumed in either way, over two changes. */
    static final List<ResendBounds> LARGE = List.of(
        new ResendBounds(2, 1, 2, 1, 4, false, false),
        new ResendBounds(1, 0, 3, 1, 5, true, false),
        new ResendBounds(2, 0, 3, 0, 5, true, true));

    @ParameterizedTest
    @FieldSource("SMALL")
    void shouldTakeEffectOnce(final ResendBounds bounds)
    {
        search(bounds);
    }

    @Tag("full")
    @ParameterizedTest
    @FieldSource("LARGE")
    void shouldTakeEffectOnceInALargerSearch(final ResendBounds bounds)
    {
        search(bounds);
    }

    @ParameterizedTest
    @EnumSource(ResendFlaw.class)
    void shouldFindEachFlaw(final ResendFlaw flaw)
    {
        assertNotNull(new ResendSearch(flaw, flaw.bounds()).violation());
    }

    private static void search(final ResendBounds bounds)
    {
        final ResendSearch search = new ResendSearch(null, bounds);
        final String violation = search.violation();
        System.out.println("writes sent again: " + search.states() + " states, " + bounds);
        assertNull(violation, violation);
    }
}
