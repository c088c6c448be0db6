package org.onesided.server.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A replica moves, or others come, while members die at any moment. */
class MoveModelTest
{
    private static final int TERMS = 2;
    private static final int CRASHES = 1;

    /** Nor does a member rest that a leader counts, and the move can be finished from everywhere. */
    @Test
    void shouldNeverHaveTwoMajorities()
    {
        final MoveModel model = new MoveModel(MoveModel.Change.MOVE, MoveModel.Error.NO_ERROR, TERMS, CRASHES);
        assertNull(model.search());
        assertTrue(model.count() > 1_000, () -> "states=" + model.count());
        assertEquals(List.of(), model.stuck(1).stream().limit(1).toList());
    }

    @Test
    void shouldFindAMemberThatRestsThoughItIsCounted()
    {
        final String found = new MoveModel(
            MoveModel.Change.MOVE, MoveModel.Error.RESTS_UNCONFIRMED, TERMS, CRASHES).search();
        assertNotNull(found);
        assertTrue(found.startsWith("a member rests that a leader counts"), found);
    }

    @Test
    void shouldFindTwoMajoritiesWithoutTheStepInWhichBothCount()
    {
        final String found = new MoveModel(
            MoveModel.Change.MOVE, MoveModel.Error.NO_JOINT_STEP, TERMS, CRASHES).search();
        assertNotNull(found);
        assertTrue(found.contains("committed") || found.startsWith("two majorities"), found);
    }

    /** A group grows from one member to three, one at a time. Few members allow for more elections and deaths. */
    @ParameterizedTest
    @EnumSource(names = {"SECOND", "THIRD"})
    void shouldNeverHaveTwoMajoritiesWhenAMemberJoins(final MoveModel.Change change)
    {
        final MoveModel two = new MoveModel(change, MoveModel.Error.NO_ERROR, TERMS + 1, 2);
        assertNull(two.search());
        assertTrue(two.count() > 500, () -> "states=" + two.count());
        final MoveModel one = new MoveModel(change, MoveModel.Error.NO_ERROR, TERMS + 1, 1);
        assertNull(one.search());
        assertEquals(List.of(), one.stuck(2).stream().limit(1).toList());
    }

    /** The last half of the change is at the first member only, and both have died: docs/cluster.md says so. */
    @Test
    void shouldFindThatBothMembersAreNeededAmidTheLastHalf()
    {
        final MoveModel model = new MoveModel(MoveModel.Change.SECOND, MoveModel.Error.NO_ERROR, TERMS + 1, 2);
        assertNull(model.search());
        final List<MoveModel.State> stuck = model.stuck(2);
        assertFalse(stuck.isEmpty());
        stuck.forEach((state) -> assertEquals(2, state.crashes, state::toString));
    }

    @Test
    void shouldFindTwoLeadersIfTheOnlyMemberElectsItselfAmongThree()
    {
        final String found = new MoveModel(
            MoveModel.Change.TWO_AT_ONCE, MoveModel.Error.ALONE_AMONG_MANY, TERMS + 1, 2).search();
        assertNotNull(found);
        assertTrue(found.startsWith("two lead in a term") || found.startsWith("a leader lacks"), found);
    }

    /** Nobody would be elected any more if the only member dies before the second one has heard that it joins. */
    @Test
    void shouldFindThatASecondMemberCannotVoteYet()
    {
        final MoveModel model =
            new MoveModel(MoveModel.Change.SECOND, MoveModel.Error.NEVER_ALONE, TERMS + 1, 1);
        assertNull(model.search());
        assertFalse(model.stuck(2).isEmpty());
    }
}
