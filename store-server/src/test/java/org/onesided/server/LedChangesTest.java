package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.protocol.bootstrap.FreePorts;
import org.onesided.server.data.ClusterDescription;
import org.onesided.server.data.ClusterMember;
import org.onesided.server.log.SnapshotFiles;
import org.onesided.server.raft.LogStart;
import org.onesided.server.raft.MembersChangeException;
import org.onesided.server.raft.RaftLogOptions;
import org.onesided.server.raft.RaftLogs;
import org.onesided.server.raft.peers.Peer;
import org.onesided.server.raft.peers.Peers;

/** A leader while a replica is on its way to a member that does not answer yet. */
class LedChangesTest
{
    private static final int KEEPERS = 3;
    private static final long LONGEST_SECONDS = 120;

    @TempDir
    private Path directory;

    private final List<ClusterMember> members = new ArrayList<>();
    private final List<RaftLogs> logs = new ArrayList<>();

    @AfterEach
    void close()
    {
        logs.forEach(RaftLogs::close);
    }

    private static final class NoSnapshots implements SnapshotFiles
    {
        @Override
        public Newest newest()
        {
            return null;
        }

        @Override
        public void adopt(final Path file)
        {
            throw new IllegalStateException("nobody is far behind");
        }
    }

    private void open() throws Exception
    {
        final List<String> free = FreePorts.addresses(2 * KEEPERS + 2);
        for (int i = 0; i <= KEEPERS; i++)
        {
            members.add(new ClusterMember(i + 1, free.get(2 * i), free.get(2 * i + 1)));
        }
        final List<Peer> peers = PeerAddress.peers(members);
        for (int i = 1; i <= KEEPERS; i++)
        {
            logs.add(RaftLogs.open(new RaftLogOptions(directory.resolve("member-" + i), 1).reserveBytes(0)
                .segmentLength(RaftLogOptions.MIN_SEGMENT_LENGTH)
                .peers(Peers.founding(i, peers, (shard) -> peers.subList(0, KEEPERS), null),
                    (shard) -> new NoSnapshots()), List.of(LogStart.withoutSnapshot(() -> {}))));
        }
    }

    private int leader()
    {
        int leader = 0;
        for (int i = 1; i <= KEEPERS; i++)
        {
            leader = logs.get(i - 1).log(0).lead().isLeading() ? i : leader;
        }
        return leader;
    }

    private LedChanges at(final int leader)
    {
        final LedChanges changes = new LedChanges(null, new KnownMembers(
            ClusterDescription.founding(leader, members, KEEPERS, 1000), 1, (description) -> { }), 1, false, null);
        changes.opened(logs.get(leader - 1)::log);
        return changes;
    }

    private static String refusal(final LedChanges changes)
    {
        try
        {
            changes.forget(KEEPERS + 1);
            return "";
        }
        catch (final MembersChangeException e)
        {
            return e.getMessage();
        }
    }

    /** It will keep a partition as soon as it answers. */
    @Test
    void shouldNotForgetAMemberThatIsAboutToGetAPartition() throws Exception
    {
        open();
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_SECONDS);
        String refusal = "";
        CompletableFuture<Void> change = CompletableFuture.failedFuture(new IllegalStateException("not begun"));
        int leader = 0;
        while (refusal.isEmpty())
        {
            assertTrue(System.nanoTime() - endNs < 0, "no change is under way");
            leader = leader() == 0 ? leader : leader();
            if (leader != 0 && change.isDone())
            {
                change = logs.get(leader - 1).log(0).members().change(
                    List.of(1L, 2L, 3L), PeerAddress.peers(members));
            }
            if (leader != 0 && logs.get(leader - 1).log(0).lead().followers().size() == KEEPERS)
            {
                // It may have lost the lead meanwhile, and then refuses nothing.
                refusal = refusal(at(leader));
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
        assertTrue(refusal.contains("the member is about to get a partition, or to leave it: member=4"), refusal);
    }
}
