package org.onesided.server.raft;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Which members keep up. */
class FollowerTest
{
    @Test
    void shouldCallAMemberInSyncThatAnswersAndLacksWhatIsOnItsWay()
    {
        assertTrue(Follower.of(2, 0, 0).isInSync());
        assertTrue(Follower.of(2, Follower.MOST_BEHIND, Follower.ALIVE_MS - 1).isInSync());
    }

    @Test
    void shouldNotCallAMemberInSyncThatIsFarBehind()
    {
        final Follower follower = Follower.of(2, Follower.MOST_BEHIND + 1, 0);
        assertFalse(follower.isInSync());
        assertTrue(follower.isAlive());
    }

    /** A new leader begins with this time for each member, and has heard of none. */
    @Test
    void shouldNotCallAMemberAliveThatIsSilent()
    {
        final Follower follower = Follower.of(2, 0, Follower.ALIVE_MS);
        assertFalse(follower.isInSync());
        assertFalse(follower.isAlive());
    }
}
