package org.onesided.server.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.ratis.protocol.RaftPeerId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
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
    private static final long SOME_SECONDS = 20;
    private static final int TRIES = 10;
    private static final long TERMS_AHEAD = 3;
    /** Of a member that does not run. */
    private static final long ABSENT = MEMBERS + 1;

    @TempDir
    private Path directory;

    private final List<Peer> peers = new ArrayList<>();
    private final Map<Long, RaftLogs> logs = new ConcurrentHashMap<>();
    private final Set<Long> left = ConcurrentHashMap.newKeySet();
    private final Set<Long> ended = ConcurrentHashMap.newKeySet();
    /** Members that have told who keeps the log. */
    private final Set<Long> told = ConcurrentHashMap.newKeySet();
    private Peer absent;
    private Path root;

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
        root = root == null ? directory : root;
        final List<String> addresses = FreePorts.addresses(MEMBERS + 1);
        absent = new Peer(ABSENT, Peer.address(addresses.get(MEMBERS)));
        for (int i = 0; i < MEMBERS; i++)
        {
            peers.add(new Peer(i + 1, Peer.address(addresses.get(i))));
        }
        for (final Peer peer : peers)
        {
            open(peer.number());
        }
    }

    private void open(final long number) throws Exception
    {
        final RaftLogOptions options = new RaftLogOptions(root.resolve("member-" + number), 1).reserveBytes(0)
            .segmentLength(RaftLogOptions.MIN_SEGMENT_LENGTH)
            .peers(Peers.founding(number, peers, (shard) -> peers.subList(0, 3), null),
                (shard) -> new NoSnapshots())
            .onMembers(new MembersListener()
            {
                @Override
                public List<Peer> known()
                {
                    return List.copyOf(peers);
                }

                @Override
                public void onMembers(final int shard, final List<Peer> members)
                {
                    assertFalse(members.isEmpty());
                    told.add(number);
                }

                @Override
                public void onLeft(final int shard)
                {
                    left.add(number);
                }

                @Override
                public void onEnded(final int shard)
                {
                    ended.add(number);
                }
            });
        logs.put(number, RaftLogs.open(options, List.of(LogStart.withoutSnapshot(() -> {}))));
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

    /** Begins a change in one step, at whoever leads, and waits until it has got somewhere; returns the leader. */
    private long begin(final List<Peer> after, final BooleanSupplier isThere) throws Exception
    {
        final AtomicLong leader = new AtomicLong();
        final AtomicReference<CompletableFuture<Void>> change =
            new AtomicReference<>(CompletableFuture.completedFuture(null));
        await("the change does not get there", () ->
        {
            // One that has just begun to lead refuses it.
            final long now = leader();
            if (change.get().isDone() && now != 0)
            {
                leader.set(now);
                change.set(log(leader.get()).members().ask(List.of(1L, 2L, 3L), after));
            }
            return isThere.getAsBoolean();
        });
        return leader.get();
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
    @Tag("full")
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
                assertEquals(GroupMembers.Departure.UNKNOWN, log(number).members().askWhetherLeft(peers));
            }
        }
        for (final long number : List.copyOf(logs.keySet()))
        {
            if (number != goes)
            {
                logs.remove(number).close();
            }
        }
        assertEquals(GroupMembers.Departure.UNKNOWN, log(goes).members().askWhetherLeft(peers));
        assertEquals(Set.of(goes), left);
    }

    /** Its leader dies before it counts. It has entries of the log, and would say for ever who kept it on that day. */
    @Test
    void shouldNotBelieveALeaderThatHasGivenUpToTakeItIn() throws Exception
    {
        open();
        // Another one is to come with it that does not answer.
        final List<Peer> after = new ArrayList<>(peers);
        after.add(absent);
        final long leader = begin(after, () -> !log(MEMBERS).members().committed().isEmpty());
        logs.remove(leader).close();
        assertFalse(log(MEMBERS).members().isLed());
        assertTrue(log(MEMBERS).members().isPerhapsRemoved());
        await("nobody leads", () -> leader() != 0);
        assertFalse(log(MEMBERS).members().isLed());
        assertFalse(told.contains((long)MEMBERS));
    }

    /** Ratis closes its log as soon as it misses the leader. If the change comes to nothing, the others need it. */
    @Test
    void shouldNotRestWhileNobodyHasSaidThatItHasLeft() throws Exception
    {
        long found = 0;
        for (int i = 0; found == 0; i++)
        {
            assertTrue(i < TRIES, "no leader has kept its place until the change was heard of");
            close();
            logs.clear();
            peers.clear();
            root = directory.resolve("try-" + i);
            open();
            found = loseTheLeaderAmidAChange();
        }
        final long goes = found;
        await("its log is not closed", () -> log(goes).members().hasEnded());
        await("it is not told that it may be needed", () -> ended.contains(goes));
        assertEquals(Set.of(), left);
    }

    /**
     * Lets only the leader and the one that is to leave get a change, so that it is never committed, and ends the
     * leader. Gives the one that is to leave; 0 if the leader has lost its place before the other heard of it.
     */
    private long loseTheLeaderAmidAChange() throws Exception
    {
        await("nobody leads", () -> leader() != 0);
        final long leader = leader();
        final long goes = leader == 3 ? 2 : 3;
        final long stays = 6 - leader - goes;
        logs.remove(stays).close();
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(SOME_SECONDS);
        CompletableFuture<Void> change = CompletableFuture.completedFuture(null);
        while (log(leader).lead().isLeading() && !log(goes).members().isPerhapsRemoved() &&
            System.nanoTime() - endNs < 0)
        {
            if (change.isDone())
            {
                change = log(leader).members().change(List.of(1L, 2L, 3L), peers.stream()
                    .filter((peer) -> peer.number() == leader || peer.number() == stays).toList());
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
        final boolean isHeardOf = !log(goes).lead().isLeading() && log(goes).members().isPerhapsRemoved();
        logs.remove(leader).close();
        return isHeardOf ? goes : 0;
    }

    /**
     * It has stood for election in vain, so its term is higher than the leader's. A later one makes it certain, also
     * one of a member that came while this one was away.
     */
    @Tag("full")
    @Test
    void shouldBeInDoubtWhileTheLeadersTermIsLower() throws Exception
    {
        open();
        final AtomicLong first = new AtomicLong();
        await("nobody leads", () ->
        {
            first.set(leader());
            return first.get() != 0;
        });
        final long goes = first.get() == 3 ? 2 : 3;
        final RaftPeerId self = log(goes).memberId().getPeerId();
        logs.remove(goes).close();
        await("it is not moved", () -> isMoved(goes));
        final Path meta = RaftLogs.directory(root.resolve("member-" + goes), 1, 0).resolve("current/raft-meta");
        final long term = Files.readAllLines(meta).stream().filter((line) -> line.startsWith("term="))
            .mapToLong((line) -> Long.parseLong(line.substring("term=".length()))).findFirst().orElseThrow();
        Files.writeString(meta, "term=" + (term + TERMS_AHEAD) + "\nvotedFor=" + self + "\n");
        open(goes);
        await("it is not in doubt", () ->
            log(goes).members().hasEnded() &&
            log(goes).members().askWhetherLeft(peers) == GroupMembers.Departure.DOUBTFUL);
        assertEquals(Set.of(), left);
        await("it does not get certain", () ->
        {
            final long leader = leader();
            if (leader != 0 && leader != MEMBERS)
            {
                log(leader).lead().give(MEMBERS, 1000);
            }
            else if (leader != 0 &&
                log(goes).members().askWhetherLeft(peers) == GroupMembers.Departure.DOUBTFUL)
            {
                log(leader).lead().stepDown(1000);
            }
            return left.contains(goes);
        });
    }

    private boolean isMoved(final long goes)
    {
        final long leader = leader();
        return leader != 0 && log(leader).members().change(List.of(1L, 2L, 3L),
            peers.stream().filter((peer) -> peer.number() != goes).toList())
            .handle((done, failure) -> failure == null).join();
    }
}
