package org.onesided.linearizability;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.onesided.linearizability.Operation.Fate;
import org.onesided.linearizability.Operation.Kind;

/** {@link KeyChecker} on histories of a server that evicts. */
class KeyEvictionTest
{
    private static final long A = 101;
    private static final long B = 102;
    private static final ExpiryTimes EVICTING = ExpiryTimes.evicting(ExpiryTimes.NONE);

    private final List<Operation> history = new ArrayList<>();

    private void add(final Kind kind, final long value, final long from, final long to)
    {
        history.add(new Operation(0, kind, Fate.DONE, history.size(), value, Operation.NO_VERSION, from, to));
    }

    @Test
    void shouldTakeAnEvictionAtAnyMoment()
    {
        add(Kind.PUT, A, 0, 1);
        add(Kind.GET, A, 2, 3);
        add(Kind.GET, Operation.ABSENT, 4, 5);
        add(Kind.DELETE, Operation.ABSENT, 6, 7);

        assertNotNull(KeyChecker.check(history, ExpiryTimes.NONE));
        assertNull(KeyChecker.check(history, EVICTING));
    }

    @Test
    void shouldRejectAValueThatComesBack()
    {
        add(Kind.PUT, A, 0, 1);
        add(Kind.GET, Operation.ABSENT, 2, 3);
        add(Kind.GET, A, 4, 5);

        assertNotNull(KeyChecker.check(history, EVICTING));
    }

    @Test
    void shouldRejectAnOlderValue()
    {
        add(Kind.PUT, A, 0, 1);
        add(Kind.PUT, B, 2, 3);
        add(Kind.GET, A, 4, 5);

        assertNotNull(KeyChecker.check(history, EVICTING));
    }

    @Test
    void shouldRejectADeleteThatFoundWhatHadLeft()
    {
        add(Kind.PUT, A, 0, 1);
        add(Kind.GET, Operation.ABSENT, 2, 3);
        add(Kind.DELETE, Operation.PRESENT, 4, 5);

        assertNotNull(KeyChecker.check(history, EVICTING));
    }
}
