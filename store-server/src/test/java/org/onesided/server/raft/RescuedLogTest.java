package org.onesided.server.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.onesided.protocol.bootstrap.FreePorts;
import org.onesided.server.data.BlankDirectory;
import org.onesided.server.data.ClusterDescription;
import org.onesided.server.data.ClusterFile;
import org.onesided.server.data.ClusterMember;
import org.onesided.server.data.DataDirectory;
import org.onesided.server.data.DataOptions;
import org.onesided.server.data.DirectoryLayout;
import org.onesided.server.data.TableIdentity;
import org.onesided.server.data.TableOnDisk;
import org.onesided.server.disk.DiskFiles;
import org.onesided.server.disk.InPlace;
import org.onesided.server.log.SnapshotFiles;
import org.onesided.server.raft.files.LogDamageException;
import org.onesided.server.raft.files.LogFiles;
import org.onesided.server.raft.peers.Peer;
import org.onesided.server.raft.peers.Peers;
import org.onesided.server.rescue.Rescue;
import org.onesided.server.rescue.RescueException;
import org.onesided.server.rescue.SurvivingPartition;
import org.onesided.server.rescue.Survivor;
import org.onesided.server.snapshot.SnapshotHeader;
import org.onesided.server.snapshot.SnapshotStore;
import org.onesided.server.snapshot.SnapshotWriter;
import org.onesided.server.snapshot.WriterPace;

/**
 * A member's directory with a log of one partition, without a server: several tests at a time, as each close waits up
 * to a second for a thread of Ratis that sleeps.
 */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RescuedLogTest
{
    /** Not that of the member of a group of one. */
    private static final long NUMBER = 7;
    private static final int ENTRIES = 300;
    private static final int LENGTH = 20_000;
    private static final LogStart BEGINNING = LogStart.withoutSnapshot(() -> {});
    private static final SnapshotFiles NONE = new SnapshotFiles()
    {
        @Override
        public Newest newest()
        {
            return null;
        }

        @Override
        public void adopt(final Path file)
        {
            throw new IllegalStateException("nothing is sent: file=" + file);
        }
    };

    @TempDir
    private Path directory;

    private final TableIdentity identity = TableIdentity.draw();
    private ClusterMember self;
    private Path member;
    private long last;

    @BeforeEach
    void form() throws Exception
    {
        final List<String> addresses = FreePorts.addresses(2);
        self = new ClusterMember(NUMBER, addresses.get(0), addresses.get(1));
        member = directory.resolve("member");
        try (BlankDirectory blank = BlankDirectory.open(member))
        {
            blank.form(identity, 1, ClusterDescription.founding(NUMBER, List.of(self), 1_000));
        }
    }

    private void write() throws Exception
    {
        final Peers peers = Peers.founding(NUMBER, List.of(new Peer(NUMBER, Peer.address(self.peerAddress()))));
        try (RaftLogs logs = RaftLogs.open(
            options(member, identity.tableId()).peers(peers, (shard) -> NONE), List.of(BEGINNING)))
        {
            final LogUser user = new LogUser(logs.log(0));
            user.await("lead", () -> logs.log(0).lead().isLeading());
            user.awaitReady();
            user.propose(ENTRIES, LENGTH);
            last = user.index();
        }
        assertTrue(LogFiles.check(log(member), -1, false).segments().size() > 1);
    }

    private static RaftLogOptions options(final Path of, final long tableId)
    {
        return new RaftLogOptions(new DirectoryLayout(of).raft(), tableId).reserveBytes(0)
            .segmentLength(RaftLogOptions.MIN_SEGMENT_LENGTH);
    }

    private Path log(final Path of)
    {
        return RaftLogs.directory(new DirectoryLayout(of).raft(), TableOnDisk.identity(of).tableId(), 0);
    }

    @Test
    void shouldHaveAllEntriesAndTakeMoreAlone() throws Exception
    {
        write();
        final Path rescued = directory.resolve("rescued");
        final long table;
        try (Survivor survivor = Survivor.open(member, false))
        {
            final SurvivingPartition partition = survivor.partitions().get(0);
            assertEquals(last, partition.lastIndex());
            assertEquals(-1, partition.snapshotIndex());
            table = new Rescue(survivor, rescued).run();
        }
        assertNotEquals(identity.tableId(), table);
        final TableIdentity made = TableOnDisk.identity(rescued);
        assertEquals(table, made.tableId());
        assertEquals(identity.hashSeed(), made.hashSeed());
        assertEquals(identity.checkSeed(), made.checkSeed());
        assertNotEquals(identity.serverLife(), made.serverLife());
        assertNotEquals(identity.sessionKey(), made.sessionKey());
        assertEquals(null, ClusterFile.read(rescued));

        for (int start = 0; start < 2; start++)
        {
            try (RaftLogs logs = RaftLogs.open(options(rescued, table), List.of(BEGINNING)))
            {
                final LogUser user = new LogUser(logs.log(0));
                user.awaitReady();
                assertEquals(0, user.firstNumber());
                assertEquals(ENTRIES + 10 * start, user.entries());
                user.continueBehind(user.lastNumber());
                user.propose(10, 100);
            }
        }
    }

    /** It has voted, and acknowledged entries, by a log that is not there any more. */
    @Test
    void shouldNotBeginALogAgainThatIsLost() throws Exception
    {
        write();
        DiskFiles.deleteTree(log(member));
        assertTrue(assertThrows(LogDamageException.class, this::write).getMessage().contains(
            "the log of a partition is lost"));
    }

    @Test
    void shouldLeaveNoTableIfItFailsAndNeverTouchTheMember() throws Exception
    {
        write();
        final Path rescued = directory.resolve("rescued");
        final Path segment = LogFiles.check(log(member), -1, false).segments().get(1).file();
        final byte[] bytes = Files.readAllBytes(segment);
        final byte[] changed = bytes.clone();
        changed[bytes.length / 2] ^= 1;
        try (Survivor survivor = Survivor.open(member, false))
        {
            // After it was read: the disk has damaged it since.
            InPlace.write(segment, changed);
            assertTrue(assertThrows(RescueException.class, () -> new Rescue(survivor, rescued).run()).getMessage()
                .contains(segment.toString()));
            assertFalse(TableOnDisk.isIn(rescued));
            Rescue.check(member, rescued);
            InPlace.write(segment, bytes);
            new Rescue(survivor, rescued).run();
        }
        assertEquals(last, LogFiles.check(log(rescued), -1, false).lastIndex());
        assertEquals(last, LogFiles.check(log(member), -1, false).lastIndex());
    }

    /** Writes a snapshot of an empty table, and the record of a vote in its term. */
    private Path snapshot(final long index, final long term) throws Exception
    {
        final Path of = new DirectoryLayout(member).snapshots(0);
        final SnapshotWriter writer = new SnapshotStore(of, identity.tableId(), 0, 1).create(
            new SnapshotHeader(identity.tableId(), 0, 1, term, index, 1_000, 0, 64, 0, 0, 1_000));
        writer.finish();
        WriterPace.awaitDone(writer);
        Files.writeString(log(member).resolve("current").resolve("raft-meta"), "term=" + term + "\nvotedFor=7\n");
        return SnapshotStore.files(of).get(0);
    }

    private SurvivingPartition partition(final boolean isTailDropped)
    {
        try (Survivor survivor = Survivor.open(member, isTailDropped))
        {
            return survivor.partitions().get(0);
        }
    }

    private static void damage(final Path file) throws Exception
    {
        final byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 1] ^= 1;
        InPlace.write(file, bytes);
    }

    @Test
    void shouldDropEntriesOfADeposedLeader() throws Exception
    {
        write();
        final long term = LogFiles.check(log(member), -1, false).lastTerm();
        snapshot(last / 2, term);
        assertEquals(last, partition(false).lastIndex());
        assertEquals(term, partition(false).lastTerm());
        assertEquals(List.of(), partition(false).leftOut());

        snapshot(last / 2, term + 1);
        final SurvivingPartition partition = partition(false);
        assertEquals(last / 2, partition.lastIndex());
        assertEquals(term + 1, partition.lastTerm());
        assertEquals(1, partition.leftOut().size());
        assertTrue(partition.leftOut().get(0).contains("a leader that was deposed"));
        final Path rescued = directory.resolve("rescued");
        try (Survivor survivor = Survivor.open(member, false))
        {
            new Rescue(survivor, rescued).run();
        }
        assertEquals(0, LogFiles.check(log(rescued), last / 2, false).entries());
    }

    @Test
    void shouldLeaveOutNothingIfTheSnapshotHasAll() throws Exception
    {
        write();
        snapshot(last + 10, 3);
        final SurvivingPartition partition = partition(false);
        assertEquals(last + 10, partition.lastIndex());
        assertEquals(3, partition.lastTerm());
        assertEquals(1, partition.log().findings().size());
        assertEquals(List.of(), partition.leftOut());
    }

    @Test
    void shouldRefuseALostSnapshotUntilTold() throws Exception
    {
        write();
        final long term = LogFiles.check(log(member), -1, false).lastTerm();
        damage(snapshot(last / 2, term));
        assertEquals(last, partition(false).lastIndex());
        assertEquals(1, partition(false).leftOut().size());

        damage(snapshot(last + 10, term));
        assertTrue(refusal(member).contains("the newest snapshot is not good"));
        final SurvivingPartition partition = partition(true);
        assertEquals(last, partition.lastIndex());
        assertEquals(3, partition.leftOut().size());
    }

    @Test
    void shouldRefuseALostLogUntilTold() throws Exception
    {
        write();
        final long term = LogFiles.check(log(member), -1, false).lastTerm();
        snapshot(last / 2, term);
        DiskFiles.deleteTree(new DirectoryLayout(member).raft());
        assertTrue(refusal(member).contains("the record of votes is missing"));
        final SurvivingPartition partition = partition(true);
        assertEquals(last / 2, partition.lastIndex());
        assertEquals(term, partition.lastTerm());
        assertEquals(1, partition.leftOut().size());
    }

    @Test
    void shouldMakeNothingInTheMemberByAnotherName() throws Exception
    {
        final Path link = Files.createSymbolicLink(directory.resolve("link"), member);
        assertThrows(RescueException.class, () -> Rescue.check(member, link.resolve("a").resolve("b")));
        assertThrows(RescueException.class, () -> Rescue.check(link, member.resolve("a")));
        Rescue.check(link, directory.resolve("other"));
    }

    @Test
    void shouldRefuseWhatIsNoMemberOrHasNothing()
    {
        assertTrue(refusal(member).contains("has nothing of a partition"));
        final Runnable release = TableOnDisk.hold(member);
        assertTrue(refusal(member).contains("in use by a running server"));
        release.run();
        final Path alone = directory.resolve("alone");
        DataDirectory.open(DataOptions.in(alone), 1).close();
        assertTrue(refusal(alone).contains("needs no rescue"));
        ClusterFile.write(member, ClusterFile.read(member).with(
            List.of(new ClusterMember(8, "127.0.0.1:1", "127.0.0.1:2")), Set.of()));
        assertTrue(refusal(member).contains("was removed from its cluster"));
    }

    /** Where members keep some partitions only, the others are empty in what is made of one. */
    @Test
    void shouldTakeThePartitionsThatTheMemberKeeps() throws Exception
    {
        final ClusterMember other = new ClusterMember(8, "127.0.0.1:1", "127.0.0.1:2");
        final Path spread = directory.resolve("spread");
        try (BlankDirectory blank = BlankDirectory.open(spread))
        {
            blank.form(identity, 2, ClusterDescription.founding(NUMBER, List.of(self, other), 1, 1_000));
        }
        assertTrue(refusal(spread).contains("nothing of any partition"));
        final Peer own = new Peer(NUMBER, Peer.address(self.peerAddress()));
        final Peer elsewhere = new Peer(8, Peer.address(other.peerAddress()));
        final Peers peers = Peers.founding(
            NUMBER, List.of(own, elsewhere), (shard) -> List.of(shard == 0 ? own : elsewhere), null);
        try (RaftLogs logs = RaftLogs.open(
            options(spread, identity.tableId()).peers(peers, (shard) -> NONE), List.of(BEGINNING, BEGINNING)))
        {
            final LogUser user = new LogUser(logs.log(0));
            user.await("lead", () -> logs.log(0).lead().isLeading());
            user.awaitReady();
            user.propose(10, LENGTH);
        }
        final Path rescued = directory.resolve("rescued");
        final long table;
        try (Survivor survivor = Survivor.open(spread, false))
        {
            assertEquals(List.of(), survivor.partitions().get(0).leftOut());
            assertEquals(-1, survivor.partitions().get(1).lastIndex());
            assertTrue(survivor.partitions().get(1).leftOut().get(0).startsWith("all of it: "));
            table = new Rescue(survivor, rescued).run();
        }
        try (RaftLogs logs = RaftLogs.open(options(rescued, table), List.of(BEGINNING, BEGINNING)))
        {
            final LogUser kept = new LogUser(logs.log(0));
            kept.awaitReady();
            assertEquals(10, kept.entries());
            final LogUser empty = new LogUser(logs.log(1));
            empty.awaitReady();
            assertEquals(0, empty.entries());
            empty.propose(10, 100);
        }
    }

    private static String refusal(final Path of)
    {
        return assertThrows(RescueException.class, () -> Survivor.open(of, false).close()).getMessage();
    }
}
