package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.server.data.ClusterDescription;
import org.onesided.server.data.ClusterMember;

/** A server that could not start with what it is told is not formed. */
class MembershipTest
{
    private static ClusterDescription with(final String peerAddress)
    {
        return ClusterDescription.founding(1, List.of(
            new ClusterMember(1, "127.0.0.1:1", "127.0.0.1:2"),
            new ClusterMember(2, "127.0.0.1:3", peerAddress),
            new ClusterMember(3, "127.0.0.1:5", "127.0.0.1:6")), 1000);
    }

    @Test
    void shouldTakeMembersOnThisMachine()
    {
        assertDoesNotThrow(() -> Membership.check(with("[::1]:4"), false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:99999", "127.0.0.1:0", "127.0.0.1", "192.0.2.1:4"})
    void shouldRefuseAnotherMembersAddress(final String peerAddress)
    {
        final IllegalArgumentException e =
            assertThrows(IllegalArgumentException.class, () -> Membership.check(with(peerAddress), false));
        assertTrue(e.getMessage().contains("address=") || e.getMessage().contains("port="), e.getMessage());
    }

    private static ClusterDescription at(final String first, final String second)
    {
        return ClusterDescription.founding(1, List.of(
            new ClusterMember(1, "10.0.0.1:1", first), new ClusterMember(2, "10.0.0.2:1", second),
            new ClusterMember(3, "10.0.0.3:1", "10.0.0.3:2")), 1000);
    }

    @Test
    void shouldTakeMembersOnSeveralMachinesWithinTls()
    {
        assertDoesNotThrow(() -> Membership.check(at("10.0.0.1:2", "10.0.0.2:2"), true));
        assertThrows(
            IllegalArgumentException.class, () -> Membership.check(at("10.0.0.1:2", "10.0.0.2:2"), false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.1.1:2", "0.0.0.0:2", "nowhere.invalid:2"})
    void shouldRefuseMembersThatOthersCannotReach(final String peerAddress)
    {
        final String message = assertThrows(IllegalArgumentException.class,
            () -> Membership.check(at("10.0.0.1:2", peerAddress), true)).getMessage();
        assertTrue(message.contains(peerAddress), message);
    }
}
