package org.onesided.server.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A replica moves while members die at any moment. */
class MoveModelTest
{
    private static final int TERMS = 2;
    private static final int CRASHES = 1;

    /** Nor does a member rest that a leader counts, and the move can be finished from everywhere. */
    @Test
    void shouldNeverHaveTwoMajorities()
    {
        final MoveModel model = new MoveModel(MoveModel.Error.NO_ERROR, TERMS, CRASHES);
        assertNull(model.search());
        assertTrue(model.count() > 1_000, () -> "states=" + model.count());
        assertEquals(List.of(), model.stuck(1).stream().limit(1).toList());
    }

    @Test
    void shouldFindAMemberThatRestsThoughItIsCounted()
    {
        final String found = new MoveModel(MoveModel.Error.RESTS_UNCONFIRMED, TERMS, CRASHES).search();
        assertNotNull(found);
        assertTrue(found.startsWith("a member rests that a leader counts"), found);
    }

    @Test
    void shouldFindTwoMajoritiesWithoutTheStepInWhichBothCount()
    {
        final String found = new MoveModel(MoveModel.Error.NO_JOINT_STEP, TERMS, CRASHES).search();
        assertNotNull(found);
        assertTrue(found.contains("committed") || found.startsWith("two majorities"), found);
    }
}
