package org.onesided.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.server.data.ClusterDescription;
import org.onesided.server.data.ClusterFile;
import org.onesided.server.data.ClusterMember;
import org.onesided.server.data.DataDirectoryException;
import org.onesided.server.data.DirectoryLayout;
import org.onesided.server.data.TableOnDisk;
import org.onesided.server.disk.DiskFiles;
import org.onesided.server.raft.RaftLogs;
import org.onesided.server.raft.files.LogDamageException;
import org.onesided.server.raft.files.LogFiles;
import org.onesided.server.raft.files.LogReport;
import org.onesided.server.raft.files.LogsMark;
import org.onesided.server.snapshot.SnapshotException;
import org.onesided.server.snapshot.SnapshotReader;

/**
 * Makes the data directory of a server that is alone that of the first and only member of a cluster, where it is. The
 * table stays the same, with its id: the log of a shard is that of a group whose only member has the number 1, and so
 * is that of the member. The last step writes the membership, in one step; whatever ends the change before leaves the
 * table of a server that is alone. Not thread-safe.
 */
public final class FirstMember
{
    /** By which the logs know the server already. */
    private static final long NUMBER = Long.parseLong(LogFiles.MEMBER);
    private static final String UNCHANGED = "nothing was changed, ";

    private final Path path;
    private final ClusterDescription description;

    /** A part of the change, which may be done again. */
    @FunctionalInterface
    interface Step
    {
        /**
         * @throws IOException if files cannot be read or written.
         */
        void run() throws IOException;
    }

    /**
     * @param path        of the directory.
     * @param description of the cluster, with this member alone.
     */
    FirstMember(final Path path, final ClusterDescription description)
    {
        this.path = path;
        this.description = description;
    }

    /**
     * Changes a directory. All of the table is read before.
     *
     * @param path        of the directory, which no server uses.
     * @param address     where clients will connect to the server, {@code HOST:PORT}. They are told it as it is.
     * @param peerAddress where other members will connect to it, {@code HOST:PORT}, the same way.
     * @param replicas    how many members shall keep each partition as soon as there are as many, an odd number; 0 if
     *                    each member shall keep all, however many there are.
     * @param leaseMs     for how long clients may believe what a leader's memory says, in milliseconds, 1 to 60,000.
     * @return the table, and its cluster.
     * @throws IllegalArgumentException if an address, the replicas or the lease are no good.
     * @throws ServerException          if the directory holds no table, that of a member, or a damaged one, if a server
     *                                  uses it, or if it cannot be written. Then the table is as it was.
     */
    public static StoredTable make(
        final Path path, final String address, final String peerAddress, final int replicas, final long leaseMs)
    {
        checkAddress("--listen", address);
        PeerAddress.check(peerAddress, true);
        checkAddress("--peer-listen", peerAddress);
        if (address.equals(peerAddress))
        {
            throw new IllegalArgumentException("clients and other members need two ports, give --listen and " +
                "--peer-listen different ones: address=" + address);
        }
        final ClusterDescription description = ClusterDescription.founding(
            NUMBER, List.of(new ClusterMember(NUMBER, address, peerAddress)), replicas, leaseMs);
        return new FirstMember(path, description).make();
    }

    /** Other members are told the addresses, and check them. */
    private static void checkAddress(final String option, final String address)
    {
        final InetSocketAddress parsed = ServerAddress.parse(address);
        if (parsed.getPort() == 0 || parsed.isUnresolved() || parsed.getAddress().isAnyLocalAddress() ||
            address.length() > Bootstrap.MAX_ADDRESS_LENGTH)
        {
            throw new IllegalArgumentException("others connect to the address as it is written, name a host of this " +
                "machine and a port (" + option + "): address=" + address);
        }
    }

    private StoredTable make()
    {
        Runnable release = () -> {};
        try
        {
            release = TableOnDisk.hold(path);
            final StoredTable table = checked();
            for (final Step step : steps(table))
            {
                step.run();
            }
            return new StoredTable(path, table.tableId(), table.serverLife(), table.shards(), description);
        }
        catch (final DataDirectoryException | SnapshotException | LogDamageException e)
        {
            throw new ServerException(UNCHANGED + e.getMessage(), e);
        }
        catch (final IOException e)
        {
            throw new ServerException(
                UNCHANGED + "data directory cannot be read or written: path=" + path + " cause=" + e, e);
        }
        finally
        {
            release.run();
        }
    }

    private StoredTable checked() throws IOException
    {
        final ClusterDescription present = ClusterFile.read(path);
        if (present != null)
        {
            throw new ServerException(UNCHANGED + "this is the directory of a member of a cluster already, start it " +
                "with kvctl server --data, and add others with kvctl cluster add: path=" + path + " member=" +
                present.self() + " members=" + present.members().size());
        }
        final StoredTable table = StoredTable.readHeld(path, true);
        for (final StoredTable.StoredShard shard : table.shards())
        {
            if (shard.problem() != null)
            {
                // A member may not drop what it has acknowledged, so this is to be put right before.
                throw new ServerException(UNCHANGED + "the table is damaged, repair it as that of a server that is " +
                    "alone, see docs/durability.md: path=" + path + " shard=" + shard.number() + ": " +
                    shard.problem());
            }
        }
        return table;
    }

    /** All that is to be done, in its order. Until the last step, the table is that of a server that is alone. */
    List<Step> steps(final StoredTable table)
    {
        final DirectoryLayout layout = new DirectoryLayout(path);
        final List<Step> steps = new ArrayList<>();
        steps.add(() -> DiskFiles.createDirectories(layout.raft()));
        for (final StoredTable.StoredShard shard : table.shards())
        {
            steps.add(() -> settle(
                shard, RaftLogs.directory(layout.raft(), table.tableId(), shard.number())));
        }
        steps.add(() -> LogsMark.write(layout.raft()));
        steps.add(() -> ClusterFile.write(path, description));
        return steps;
    }

    /** Puts right what a crash has left, as a start would, and writes down what a log of several members must know. */
    private static void settle(final StoredTable.StoredShard shard, final Path log) throws IOException
    {
        long index = -1;
        long term = 0;
        for (final StoredTable.StoredSnapshot snapshot : shard.snapshots())
        {
            if (snapshot.problem() == null && snapshot.index() > index)
            {
                try (SnapshotReader reader = new SnapshotReader(snapshot.file()))
                {
                    index = reader.header().index();
                    term = reader.header().term();
                }
            }
        }
        final LogReport report = LogFiles.check(log, index, false);
        DiskFiles.createDirectories(log);
        LogFiles.repair(report, term);
        LogFiles.writeVotes(report, term);
    }
}
