package org.onesided.protocol.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.onesided.protocol.bootstrap.codec.HeartbeatDecoder;
import org.onesided.protocol.bootstrap.codec.HeartbeatEncoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;

class SessionTotalsTest
{
    private static final SessionTotals SOME = new SessionTotals(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13);

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);

    private SessionTotals sent(final SessionTotals totals)
    {
        totals.write(new HeartbeatEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()));
        return read();
    }

    private SessionTotals read()
    {
        return SessionTotals.read(new HeartbeatDecoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderDecoder()));
    }

    @Test
    void shouldArriveAsTheyWere()
    {
        assertEquals(SOME, sent(SOME));
        assertEquals(SessionTotals.NONE, sent(SessionTotals.NONE));
    }

    @Test
    void shouldTakeWhatIsNoCountForNothing()
    {
        final SessionTotals absurd = new SessionTotals(-1, Long.MIN_VALUE, 3, -4, 5, 6, 7, 8, 9, 10, 11, 12, -13);
        assertEquals(new SessionTotals(0, 0, 3, 0, 5, 6, 7, 8, 9, 10, 11, 12, 0), sent(absurd));
    }

    @Test
    void shouldBeNoneInAHeartbeatThatTellsNothing()
    {
        sent(SOME);
        new MessageHeaderEncoder().wrap(buffer, 0).blockLength(0).version(0);
        assertEquals(SessionTotals.NONE, read());
    }

    @Test
    void shouldNotOverflow()
    {
        final long most = Long.MAX_VALUE;
        final SessionTotals all = new SessionTotals(
            most, most, most, most, most, most, most, most, most, most, most, most, most);
        assertEquals(all, all.plus(SOME));
        assertEquals(all, SOME.plus(all).plus(all));
    }

    @Test
    void shouldNotGoBack()
    {
        assertEquals(SessionTotals.NONE, SOME.since(SOME.plus(SOME)));
        assertEquals(SOME, SOME.plus(SOME).since(SOME));
        assertEquals(SOME, SessionTotals.NONE.atLeast(SOME));
    }
}
