package org.onesided.server.raft.peers;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.retry.RetryPolicy;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What decides how soon a member counts that was away, and how soon there is a leader again. */
class PeerSettingsTest
{
    private static final long LONGEST_MS = 400;

    private final RaftProperties properties = new RaftProperties();

    PeerSettingsTest()
    {
        PeerSettings.apply(properties, Peers.founding(1, List.of(new Peer(1, new InetSocketAddress("127.0.0.1", 7)))));
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 30, 31, 1_000, 1_031, 1_000_000_000})
    void shouldTryAReturnedMemberSoonHoweverOftenThatFailed(final int attempts)
    {
        final RetryPolicy policy = RetryPolicy.parse(RaftServerConfigKeys.Log.Appender.retryPolicy(properties));
        final long sleepNs = policy.handleAttemptFailure(() -> attempts).getSleepTime().toLong(TimeUnit.NANOSECONDS);
        assertTrue(sleepNs <= TimeUnit.MILLISECONDS.toNanos(LONGEST_MS), "sleep=" + sleepNs);
        assertTrue(sleepNs > TimeUnit.MILLISECONDS.toNanos(10), "a member that is away keeps a core busy: " + sleepNs);
    }

    @Test
    void shouldNotKeepAFormerLeaderOutOfElections()
    {
        PeerSettings.applyToGroups(properties);
        final long waitMs = RaftServerConfigKeys.LeaderElection.leaderStepDownWaitTime(properties)
            .toLong(TimeUnit.MILLISECONDS);
        assertTrue(waitMs <= 1_000, "wait=" + waitMs);
    }
}
