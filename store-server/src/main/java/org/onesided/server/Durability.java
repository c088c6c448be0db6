package org.onesided.server;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.agrona.CloseHelper;
import org.onesided.protocol.table.Superblock;
import org.onesided.server.backup.BackupService;
import org.onesided.server.data.DataDirectory;
import org.onesided.server.data.DataDirectoryException;
import org.onesided.server.data.SessionKey;
import org.onesided.server.data.TableOnDisk;
import org.onesided.server.log.ShardLog;
import org.onesided.server.log.SyncMode;
import org.onesided.server.operating.MemberStand;
import org.onesided.server.raft.LogStart;
import org.onesided.server.raft.RaftLogOptions;
import org.onesided.server.raft.RaftLogs;
import org.onesided.server.raft.files.LogDamageException;
import org.onesided.server.raft.files.LogFiles;
import org.onesided.server.session.ServedCluster;
import org.onesided.server.session.SessionSecrets;
import org.onesided.server.shard.agent.Shard;
import org.onesided.server.shard.logged.ShardDurability;
import org.onesided.server.shard.proposal.LoggedTime;
import org.onesided.server.snapshot.SnapshotException;
import org.onesided.server.snapshot.SnapshotReader;
import org.onesided.server.table.GrowthPlan;
import org.onesided.server.table.ShardMemory;
import org.onesided.server.table.TableTime;
import org.onesided.verbs.Devices;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What makes a server's table outlive its process: the directory, with the snapshots and logs of the shards. Belongs to
 * the thread that starts the server.
 */
final class Durability implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(Durability.class);
    /** On a small heap: more often would be of little use. */
    private static final long LEAST_SNAPSHOT_ENTRIES = 20_000;

    private final DataDirectory directory;
    private final ServerOptionValues options;
    private final StoredSnapshots snapshots = new StoredSnapshots();
    private final List<LoggedTime> times = new ArrayList<>();
    private final SecureRandom random = new SecureRandom();
    private final ReadBack readBack;
    private final Recovery recovery;
    private final ShardWaking waking = new ShardWaking();
    private volatile boolean isStoppingCleanly;
    private boolean hasStarted;
    private RaftLogs logs;
    /** Null if this server is alone. */
    private final Membership membership;
    /** Null if this server is alone, or has not begun to serve. */
    private volatile MemberOperations operations;
    private long region;

    private Durability(
        final DataDirectory directory, final ServerOptionValues options, final int shards, final ServerEnd end)
    {
        this.directory = directory;
        this.options = options;
        membership = Membership.of(directory, options, shards, end);
        readBack = new ReadBack(options.data().onReadBack());
        recovery = new Recovery(options.data(), shards, readBack);
        for (int i = 0; i < shards; i++)
        {
            times.add(new LoggedTime());
        }
    }

    /**
     * Opens the directory, and reads or makes what identifies the table.
     *
     * @param end ends the server.
     * @throws ServerException if that is not possible.
     */
    static Durability open(final ServerOptionValues options, final int shards, final ServerEnd end)
    {
        checkFounding(options);
        final DataDirectory directory;
        try
        {
            directory = DataDirectory.open(options.data(), shards);
        }
        catch (final DataDirectoryException e)
        {
            throw new ServerException(e.getMessage(), e);
        }
        if (directory.isReserveUsed())
        {
            LOGGER.warn("disk is full, the reserve is used to start: path={}", directory.path());
        }
        // Clients must not READ what a killed server has left, once this one has changed something.
        Devices.retireLeftovers();
        final Durability durability;
        try
        {
            durability = new Durability(directory, options, shards, end);
        }
        catch (final RuntimeException e)
        {
            directory.close();
            throw e;
        }
        boolean isOpen = false;
        try
        {
            if (durability.membership != null)
            {
                checkMember(options);
            }
            if (options.data().discardTail())
            {
                // What the tail held may have been acknowledged.
                directory.beginNewLife();
            }
            durability.snapshots.open(
                directory, shards, durability::logDirectory, durability.membership, durability.readBack);
            isOpen = true;
            return durability;
        }
        catch (final SnapshotException e)
        {
            throw new ServerException(e.getMessage(), e);
        }
        catch (final IOException e)
        {
            throw new ServerException("log cannot be read: path=" + directory.layout().raft() + " cause=" + e, e);
        }
        finally
        {
            if (!isOpen)
            {
                durability.close();
            }
        }
    }

    /** Only a blank server becomes a member: a table that is founded here would be that of a server that is alone. */
    private static void checkFounding(final ServerOptionValues options)
    {
        final PeerOptions peers = options.peers();
        final Path path = options.data().directory();
        if ((peers.zone() != null || peers.isTls()) && peers.listen() == null && !TableOnDisk.isIn(path))
        {
            throw new ServerException("only a member of a cluster has a zone or other members: with an empty or " +
                "missing --data, give --peer-listen, too, or leave out --zone and --tls-peer-ca: path=" + path);
        }
    }

    private static void checkMember(final ServerOptionValues options)
    {
        if (options.data().discardTail() || options.data().sync() != SyncMode.ALWAYS)
        {
            throw new ServerException("a member of a cluster keeps what it has promised to others, start it with " +
                "--sync always and without --discard-tail: path=" + options.data().directory());
        }
    }

    /** Takes the number of shards of a table on disk, if nobody has chosen one: the default depends on the machine. */
    static void chooseShards(final ServerOptions options)
    {
        final Path path = options.data().directory();
        if (path != null && !options.numbers().isGiven(ServerSetting.SHARDS) && TableOnDisk.isIn(path))
        {
            try
            {
                options.shards(TableOnDisk.shards(path));
            }
            catch (final DataDirectoryException e)
            {
                throw new ServerException(e.getMessage(), e);
            }
        }
    }

    private Path logDirectory(final int shard)
    {
        return RaftLogs.directory(directory.layout().raft(), directory.identity().tableId(), shard);
    }

    Superblock superblock(final GrowthPlan plan)
    {
        return plan.superblock(
            directory.identity().tableId(), directory.identity().serverLife(), directory.identity().hashSeed(),
            directory.identity().checkSeed());
    }

    LoggedTime time(final int shard)
    {
        return times.get(shard);
    }

    /** The cluster that this server is a member of; null if it is alone. */
    ServedCluster cluster()
    {
        return membership == null ? null : membership.served();
    }

    /**
     * Opens the logs.
     *
     * @param ofMemory names the server's memory.
     * @throws ServerException if a log is damaged, or cannot be read or written.
     */
    void openLogs(final long ofMemory)
    {
        region = ofMemory;
        final List<LogStart> starts = new ArrayList<>();
        for (int i = 0; i < times.size(); i++)
        {
            final int shard = i;
            final SnapshotReader snapshot = snapshots.newest(i);
            starts.add(snapshot == null ? LogStart.withoutSnapshot(() -> waking.wakeUp(shard)) :
                new LogStart(snapshot.header().term(), snapshot.header().index(), () -> waking.wakeUp(shard)));
        }
        try
        {
            long expected = 0;
            for (int i = 0; i < starts.size(); i++)
            {
                expected += 2 * LogFiles.bytes(logDirectory(i));
            }
            final long before = readBack.bytes();
            final RaftLogOptions logOptions = new RaftLogOptions(
                directory.layout().raft(), directory.identity().tableId())
                .sync(options.data().sync()).discardTail(options.data().discardTail())
                .onChecked(readBack::addAndTell);
            if (membership != null)
            {
                logOptions.peers(membership.peers(), membership::snapshots).onMembers(membership);
            }
            logs = RaftLogs.open(logOptions, starts);
            if (membership != null)
            {
                membership.opened(logs::log);
            }
            readBack.expect(readBack.bytes() - before + logs.replayedBytes() - expected);
        }
        catch (final LogDamageException e)
        {
            throw new ServerException(e.getMessage(), e);
        }
        catch (final IOException e)
        {
            throw new ServerException("log cannot be opened: path=" + directory.layout().raft() + " cause=" + e, e);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new ServerException("interrupted while the log was opened: path=" + directory.layout().raft(), e);
        }
    }

    /**
     * What a shard needs.
     *
     * @param number of the shard.
     * @param memory of its parts.
     * @param share  of the table's memory, in bytes.
     * @param shard  gives the shard, once it is there.
     */
    ShardDurability shard(
        final int number, final ShardMemory memory, final long share, final Supplier<Shard> shard)
    {
        final ShardLog log = logs.log(number);
        return new ShardDurability(
            log, times.get(number), random.nextLong(), membership == null && options.data().sync() == SyncMode.ALWAYS,
            membership == null ? null : membership.replication(region),
            TableTime.ttlMs(options.defaultTtlNs()),
            share, memory::indexBytes, snapshots.store(number), snapshots.newest(number),
            options.data().snapshotLog(), snapshotEntries(Runtime.getRuntime().maxMemory(), times.size()),
            readBack::add,
            () -> recovery.onRecovered(number, shard.get().loggedSessions()));
    }

    /**
     * Entries of a shard's log behind which a snapshot is due, however short they are: those behind the last two
     * snapshots, which the log keeps, take a third of the heap in all shards together.
     */
    static long snapshotEntries(final long heapBytes, final int shards)
    {
        return Math.max(LEAST_SNAPSHOT_ENTRIES, heapBytes / 3 / 2 / RaftLogs.HEAP_BYTES_OF_ENTRY / shards);
    }

    SessionSecrets secrets()
    {
        final SessionKey key = directory.identity().sessionKey();
        return key::secret;
    }

    /** Makes backups, once the shards are there. */
    BackupService backups(final List<Shard> shards, final long clientNs)
    {
        try
        {
            return new BackupService(
                directory.layout().backup(), directory.identity(), shards, membership == null,
                () -> membership == null || keeps(shards.size()), clientNs);
        }
        catch (final IOException e)
        {
            throw new ServerException("files of a former backup cannot be removed: directory=" +
                directory.layout().backup() + " cause=" + e, e);
        }
    }

    /** Whether this member of a cluster keeps so many partitions, all from the first on. */
    private boolean keeps(final int count)
    {
        return IntStream.range(0, count).allMatch((i) -> logs.log(i).members().isKept());
    }

    /** Of what the logs hold. */
    Recovery recovery()
    {
        return recovery;
    }

    /** Of shards, by the logs. */
    ShardWaking waking()
    {
        return waking;
    }

    /** Whether the server is no member of a cluster. */
    boolean isAlone()
    {
        return membership == null;
    }

    /** Clients can connect from here on, so the directory stays. */
    void started()
    {
        hasStarted = true;
    }

    /** What this member of a cluster does for its operators; null if this server is alone. */
    MemberOperations operations(final List<Shard> shards)
    {
        final MemberOperations made = membership == null ? null : new MemberOperations(
            membership.served().self(), shards, logs::log, membership.leaseTime(), directory::freeBytes);
        operations = made;
        return made;
    }

    /** How this member of a cluster stands; null if this server is alone, or has not begun to serve. Thread-safe. */
    MemberStand stand()
    {
        final MemberOperations made = operations;
        return made == null ? null : made.stand();
    }

    /** A member of a cluster lets others lead what it leads, before it stops. Waits for a bounded time. */
    void handOver(final List<Shard> shards)
    {
        if (membership != null)
        {
            operations.stop();
            LeaderHandover.run(shards, logs::log, membership.leaseTime());
        }
    }

    /** The server stops as it was told to, and its logs are closed with all that they were given. */
    void stopsCleanly()
    {
        isStoppingCleanly = true;
    }

    /** What the system has of the logs is forced to the disk; then nothing is lost, whatever the mode. */
    private void markClean() throws IOException
    {
        for (int i = 0; i < times.size(); i++)
        {
            logs.log(i).force();
        }
        directory.markClean();
    }

    @Override
    public void close()
    {
        boolean isReleased = false;
        try
        {
            snapshots.close();
            CloseHelper.quietClose(membership);
            if (logs != null)
            {
                logs.close();
            }
            if (isStoppingCleanly && logs != null)
            {
                isReleased = true;
                CleanStop.run(directory.path(), this::markClean, directory::close, CleanStop.LONGEST_NS);
            }
        }
        finally
        {
            if (!isReleased)
            {
                if (!hasStarted)
                {
                    directory.discard();
                }
                directory.close();
            }
        }
    }
}
