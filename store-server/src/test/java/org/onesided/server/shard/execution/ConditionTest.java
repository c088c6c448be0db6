package org.onesided.server.shard.execution;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.onesided.protocol.rpc.codec.ConditionKind;

class ConditionTest
{
    private static final long TABLE = 8;

    private final Condition condition = new Condition();

    @Test
    void shouldHoldWithoutACondition()
    {
        assertFalse(condition.exists());
        assertTrue(condition.holds(TABLE, 0));
        assertTrue(condition.holds(TABLE, 1));
    }

    @Test
    void shouldHoldForAnAbsentKeyOnly()
    {
        condition.set(ConditionKind.ABSENT.value(), 0, 0);
        assertTrue(condition.holds(TABLE, 0));
        assertFalse(condition.holds(TABLE, 1));
        assertFalse(condition.holds(TABLE, Long.MIN_VALUE));
    }

    @Test
    void shouldHoldForAPresentKeyOnly()
    {
        condition.set(ConditionKind.PRESENT.value(), 0, 0);
        assertFalse(condition.holds(TABLE, 0));
        assertTrue(condition.holds(TABLE, 1));
        assertTrue(condition.holds(TABLE, Long.MIN_VALUE));
    }

    @Test
    void shouldHoldForTheVersionOfItsTableOnly()
    {
        condition.set(ConditionKind.VERSION.value(), TABLE, 5);
        assertTrue(condition.holds(TABLE, 5));
        assertFalse(condition.holds(TABLE, 4));
        assertFalse(condition.holds(TABLE, 6));
        assertFalse(condition.holds(TABLE, 0));
        assertFalse(condition.holds(TABLE + 1, 5));
    }

    @Test
    void shouldNotTakeVersionZeroForAnAbsentKey()
    {
        condition.set(ConditionKind.VERSION.value(), TABLE, 0);
        assertFalse(condition.holds(TABLE, 0));
    }
}
