package org.onesided.client.session;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.bootstrap.AttachFailedException.Kind;
import org.onesided.client.bootstrap.SessionIdentity;

class ResumptionTest
{
    private static final SessionIdentity ONE = new SessionIdentity(1, 2, 3, 4);
    private static final SessionIdentity OTHER = new SessionIdentity(1, 5, 6, 7);

    private long nowNs = Long.MAX_VALUE - 5;
    private final Resumption resumption = new Resumption(() -> nowNs);

    private void assertAgain(final SessionIdentity asked)
    {
        assertEquals(Kind.TRANSIENT,
            assertThrows(AttachFailedException.class, () -> resumption.check(asked, false)).kind());
    }

    @Test
    void shouldTakeWhatWasResumedOrNotAskedFor()
    {
        assertDoesNotThrow(() -> resumption.check(ONE, true));
        assertDoesNotThrow(() -> resumption.check(SessionIdentity.NONE, false));
    }

    @Test
    void shouldAskForASessionAgainForAWhile()
    {
        assertAgain(ONE);
        nowNs += Resumption.PATIENCE_NS - 1;
        assertAgain(ONE);
        nowNs++;
        assertDoesNotThrow(() -> resumption.check(ONE, false));
    }

    @Test
    void shouldGiveEachSessionTheWholeTime()
    {
        assertAgain(ONE);
        nowNs += Resumption.PATIENCE_NS;
        assertAgain(OTHER);
    }
}
