package org.onesided.server.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.protocol.bootstrap.FreePorts;
import org.onesided.server.log.SnapshotFiles;
import org.onesided.server.raft.peers.Peer;
import org.onesided.server.raft.peers.Peers;

/** What a member of a log hears when others keep it without it. */
class LeftLogTest
{
    private static final int MEMBERS = 4;
    private static final long LONGEST_SECONDS = 120;

    @TempDir
    private Path directory;

    private final List<Peer> peers = new ArrayList<>();
    private final Map<Long, RaftLogs> logs = new ConcurrentHashMap<>();
    private final Set<Long> left = ConcurrentHashMap.newKeySet();

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
        final List<String> addresses = FreePorts.addresses(MEMBERS);
        for (int i = 0; i < MEMBERS; i++)
        {
            peers.add(new Peer(i + 1, Peer.address(addresses.get(i))));
        }
        for (final Peer peer : peers)
        {
            final long number = peer.number();
            final RaftLogOptions options = new RaftLogOptions(directory.resolve("member-" + number), 1).reserveBytes(0)
                .segmentLength(RaftLogOptions.MIN_SEGMENT_LENGTH)
                .peers(Peers.founding(number, peers, (shard) -> peers.subList(0, 3), null),
                    (shard) -> new NoSnapshots())
                .onMembers(new MembersListener()
                {
                    @Override
                    public void onMembers(final int shard, final List<Peer> members)
                    {
                        assertFalse(members.isEmpty());
                    }

                    @Override
                    public void onLeft(final int shard)
                    {
                        left.add(number);
                    }

                    @Override
                    public void onEnded(final int shard)
                    {
                        // It comes later, if at all.
                    }
                });
            logs.put(number, RaftLogs.open(options, List.of(LogStart.withoutSnapshot(() -> {}))));
        }
    }

    @AfterEach
    void close()
    {
        logs.values().forEach(RaftLogs::close);
    }

    private static void await(final String what, final BooleanSupplier isSo) throws InterruptedException
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_SECONDS);
        while (!isSo.getAsBoolean())
        {
            assertTrue(System.nanoTime() - endNs < 0, what);
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private RaftShardLog log(final long number)
    {
        return logs.get(number).log(0);
    }

    private long leader()
    {
        return logs.keySet().stream().filter((number) -> log(number).lead().isLeading()).findFirst().orElse(0L);
    }

    /** Lets member 4 come in the place of one that follows; returns that one. */
    private long move() throws Exception
    {
        long goes = 0;
        boolean isDone = false;
        while (!isDone)
        {
            await("nobody leads", () -> leader() != 0);
            final long leader = leader();
            goes = leader == 3 ? 2 : 3;
            final long other = goes;
            isDone = leader != 0 && log(leader).members().change(List.of(1L, 2L, 3L),
                peers.stream().filter((peer) -> peer.number() != other).toList())
                .handle((done, failure) -> failure).get(LONGEST_SECONDS, TimeUnit.SECONDS) == null;
        }
        return goes;
    }

    @Test
    void shouldHearFromALeaderThatItHasLeft() throws Exception
    {
        open();
        final long goes = move();
        await("it does not hear that it has left", () -> left.contains(goes));
        assertEquals(Set.of(goes), left);
    }

    /** Nor is one that has left told so by members that do not lead, or by none at all. */
    @Test
    void shouldNotTellAMemberThatCountsThatItHasLeft() throws Exception
    {
        open();
        final long goes = move();
        await("it does not hear that it has left", () -> left.contains(goes));
        for (final long number : List.copyOf(logs.keySet()))
        {
            if (number != goes)
            {
                assertFalse(log(number).members().isToldToHaveLeft());
            }
        }
        for (final long number : List.copyOf(logs.keySet()))
        {
            if (number != goes)
            {
                logs.remove(number).close();
            }
        }
        assertFalse(log(goes).members().isToldToHaveLeft());
        assertEquals(Set.of(goes), left);
    }
}
