package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class AgentErrorsTest
{
    private long nowNs = -5;
    private final AgentErrors errors = new AgentErrors("for a test", () -> nowNs);

    private void fail(final int times)
    {
        for (int i = 0; i < times; i++)
        {
            errors.onError(new IllegalStateException("for a test"));
        }
    }

    @Test
    void shouldLogOneOfManyErrorsNowAndThen()
    {
        fail(1000);
        assertEquals(999, errors.unlogged());
        nowNs += AgentErrors.PAUSE_NS - 1;
        fail(1);
        assertEquals(1000, errors.unlogged());
        nowNs++;
        fail(1);
        assertEquals(0, errors.unlogged());
    }

    @Test
    void shouldLogAnErrorOfAnotherKindAtOnce()
    {
        fail(3);
        errors.onError(new OutOfMemoryError("for a test"));
        assertEquals(0, errors.unlogged());
        fail(1);
        errors.onError(new OutOfMemoryError("for a test"));
        assertEquals(2, errors.unlogged());
    }
}
