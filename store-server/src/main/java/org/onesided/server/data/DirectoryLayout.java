package org.onesided.server.data;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * What is where in a data directory.
 *
 * <pre>
 *  lock                      held by the server that uses the directory
 *  table                     {@link TableFile}: which table it is
 *  cluster                   {@link ClusterFile}: of which cluster the table is; missing if the server is alone
 *  raft/                     the shards' logs
 *  snapshots/shard-N/        the snapshots of shard N
 *  backup/                   what is being sent to a client that takes a backup
 * </pre>
 *
 * @param path of the directory, which may be missing.
 */
public record DirectoryLayout(Path path)
{
    private static final String LOCK = "lock";
    private static final String TABLE = "table";
    private static final String RAFT = "raft";
    private static final String SNAPSHOTS = "snapshots";
    private static final String BACKUP = "backup";
    private static final String BEGUN = ".tmp";
    /** As the logs call it. */
    private static final String RESERVE = "reserve";
    /** What a directory may hold that holds no table: what a crash leaves before there is one, and ext4's own. */
    private static final Set<String> HARMLESS = Set.of(
        LOCK, TABLE + BEGUN, ClusterFile.NAME, ClusterFile.NAME + BEGUN, "lost+found");

    /** Whether a file or directory of that name may be where no table is. */
    static boolean isHarmless(final String name)
    {
        return HARMLESS.contains(name);
    }

    /** All that belongs to a table, in the order in which it may go: the lock last. */
    List<Path> all()
    {
        return List.of(
            raft(), snapshots(), backup(), path.resolve(TABLE + BEGUN), table(),
            path.resolve(ClusterFile.NAME + BEGUN), cluster(), lock());
    }

    Path lock()
    {
        return path.resolve(LOCK);
    }

    Path table()
    {
        return path.resolve(TABLE);
    }

    Path cluster()
    {
        return path.resolve(ClusterFile.NAME);
    }

    /** The room that the logs keep for a start on a full disk. */
    Path reserve()
    {
        return raft().resolve(RESERVE);
    }

    /**
     * @return directory of a backup that is being made.
     */
    public Path backup()
    {
        return path.resolve(BACKUP);
    }

    /**
     * @return directory of the logs.
     */
    public Path raft()
    {
        return path.resolve(RAFT);
    }

    /**
     * @return directory of all snapshots.
     */
    public Path snapshots()
    {
        return path.resolve(SNAPSHOTS);
    }

    /**
     * @param shard number of a shard, from 0.
     * @return directory of its snapshots.
     */
    public Path snapshots(final int shard)
    {
        return snapshots().resolve("shard-" + shard);
    }
}
