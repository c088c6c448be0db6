package org.onesided.server.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A replica moves, or others come, while members die at any moment. */
class MoveModelTest
{
    private static final int TERMS = 2;
    private static final int CRASHES = 1;

    /** Nor does a member rest that a leader counts. */
    @Test
    void shouldNeverHaveTwoMajorities()
    {
        final MoveModel died = new MoveModel(MoveChange.MOVE, MoveModel.Error.NO_ERROR, TERMS, CRASHES);
        assertNull(died.search());
        assertTrue(died.count() > 100_000, () -> "states=" + died.count());
    }

    /** It can be finished from everywhere, by two elections more: the member that is to leave may lead. */
    @Tag("full")
    @Test
    void shouldNeverHaveTwoMajoritiesInThreeTerms()
    {
        final MoveModel model = new MoveModel(MoveChange.MOVE, MoveModel.Error.NO_ERROR, TERMS + 1, 0);
        assertNull(model.search());
        assertEquals(List.of(), model.stuck(2).stream().limit(1).toList());
        final MoveModel early = new MoveModel(MoveChange.MOVE, MoveModel.Error.LEAVES_EARLY, TERMS + 1, 0);
        assertNull(early.search());
        assertFalse(early.stuck(2).isEmpty());
    }

    /** Each step by itself, in three terms. */
    @ParameterizedTest
    @EnumSource(names = {"FOURTH", "LEAVE"})
    void shouldNeverHaveTwoMajoritiesWhenOneMemberComesOrLeaves(final MoveChange change)
    {
        final MoveModel model = new MoveModel(change, MoveModel.Error.NO_ERROR, TERMS + 1, 0);
        assertNull(model.search());
        assertEquals(List.of(), model.stuck(2).stream().limit(1).toList());
    }

    /** As it was. A leader that is elected again has forgotten the old members, whose majority elects another one. */
    @Test
    void shouldFindTwoLeadersIfAMemberTakesThePlaceOfAnotherInOneStep()
    {
        final String found =
            new MoveModel(MoveChange.MOVE_AT_ONCE, MoveModel.Error.NO_ERROR, TERMS + 1, 0).search();
        assertNotNull(found);
        assertTrue(found.startsWith("two lead in a term") || found.startsWith("a leader lacks"), found);
    }

    /** So it is Ratis' first entry that makes one step too few. */
    @Tag("full")
    @Test
    void shouldNotFindThemIfTheFirstEntryOfALeaderKeepsBothMajorities()
    {
        assertNull(new MoveModel(
            MoveChange.MOVE_AT_ONCE, MoveModel.Error.FIRST_ENTRY_IS_JOINT, TERMS + 1, 0).search());
    }

    @Test
    void shouldFindAMemberThatRestsThoughItIsCounted()
    {
        final String found = new MoveModel(
            MoveChange.MOVE, MoveModel.Error.RESTS_UNCONFIRMED, TERMS, CRASHES).search();
        assertNotNull(found);
        assertTrue(found.startsWith("a member rests that a leader counts"), found);
    }

    @Test
    void shouldFindTwoMajoritiesWithoutTheStepInWhichBothCount()
    {
        final String found = new MoveModel(
            MoveChange.MOVE_AT_ONCE, MoveModel.Error.NO_JOINT_STEP, TERMS, CRASHES).search();
        assertNotNull(found);
        assertTrue(found.contains("committed") || found.startsWith("two majorities"), found);
    }

    /** A group grows from one member to three, one at a time. Few members allow for more elections and deaths. */
    @ParameterizedTest
    @EnumSource(names = {"SECOND", "THIRD"})
    void shouldNeverHaveTwoMajoritiesWhenAMemberJoins(final MoveChange change)
    {
        final MoveModel two = new MoveModel(change, MoveModel.Error.NO_ERROR, TERMS + 1, 2);
        assertNull(two.search());
        assertTrue(two.count() > 500, () -> "states=" + two.count());
    }

    @Test
    void shouldBeAbleToTakeInAThirdMember()
    {
        final MoveModel model = new MoveModel(MoveChange.THIRD, MoveModel.Error.NO_ERROR, TERMS + 1, 2);
        assertNull(model.search());
        assertEquals(List.of(), model.stuck(2).stream().limit(1).toList());
    }

    /** The last half of the change is at the first member, and the second one has died: docs/cluster.md says so. */
    @Test
    void shouldFindThatTheSecondMemberIsNeededAmidTheLastHalf()
    {
        final MoveModel without = new MoveModel(MoveChange.SECOND, MoveModel.Error.NO_ERROR, TERMS + 1, 0);
        assertNull(without.search());
        assertEquals(List.of(), without.stuck(2).stream().limit(1).toList());
        final MoveModel model = new MoveModel(MoveChange.SECOND, MoveModel.Error.NO_ERROR, TERMS + 1, 1);
        assertNull(model.search());
        final List<MoveModel.State> stuck = model.stuck(2);
        assertFalse(stuck.isEmpty());
        // All that is committed is at the first one, which can be rescued.
        stuck.forEach((state) -> assertTrue(state.logs[0].length >= state.committed.length &&
            state.stands[1] != MoveModel.Stand.UP, state::toString));
    }

    @Test
    void shouldFindTwoLeadersIfTheOnlyMemberElectsItselfAmongThree()
    {
        final String found = new MoveModel(
            MoveChange.TWO_AT_ONCE, MoveModel.Error.ALONE_AMONG_MANY, TERMS + 1, 2).search();
        assertNotNull(found);
        assertTrue(found.startsWith("two lead in a term") || found.startsWith("a leader lacks"), found);
    }

    /** Nobody would be elected any more if the only member dies before the second one has heard that it joins. */
    @Test
    void shouldFindThatASecondMemberCannotVoteYet()
    {
        final MoveModel model =
            new MoveModel(MoveChange.SECOND, MoveModel.Error.NEVER_ALONE, TERMS + 1, 1);
        assertNull(model.search());
        assertFalse(model.stuck(2).isEmpty());
    }
}
