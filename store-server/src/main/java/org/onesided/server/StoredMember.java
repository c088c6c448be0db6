package org.onesided.server;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.onesided.server.data.ClusterDescription;
import org.onesided.server.rescue.Rescue;
import org.onesided.server.rescue.RescueException;
import org.onesided.server.rescue.SurvivingPartition;
import org.onesided.server.rescue.Survivor;

/**
 * What is in the data directory of a cluster's member that does not run, all of which was read. Whatever other members
 * have acknowledged beyond that is not in it.
 *
 * @param path       of the directory.
 * @param tableId    names the cluster's table.
 * @param cluster    as the member knows it.
 * @param partitions in their order.
 */
public record StoredMember(Path path, long tableId, ClusterDescription cluster, List<StoredPartition> partitions)
{
    /**
     * A partition.
     *
     * @param number          from 0.
     * @param snapshotIndex   of the last entry in the newest good snapshot; -1 without one.
     * @param snapshotRecords in that; 0 without one.
     * @param lastIndex       of the last entry that is there.
     * @param lastTerm        of that entry.
     * @param lastMs          when the last write was logged, in milliseconds since 1970; -1 if that is not known.
     * @param findings        what is left out, as a crash has not finished it, it is damaged, or of a leader that was
     *                        deposed; a line each.
     */
    public record StoredPartition(
        int number,
        long snapshotIndex,
        long snapshotRecords,
        long lastIndex,
        long lastTerm,
        long lastMs,
        List<String> findings)
    {
    }

    /**
     * Reads all that a member has, and changes nothing.
     *
     * @param path          of the directory.
     * @param isTailDropped whether a damaged log counts up to the damage.
     * @return what is in it.
     * @throws ServerException if it is that of no member, a server uses it, it is damaged or cannot be read.
     */
    public static StoredMember survey(final Path path, final boolean isTailDropped)
    {
        try (Survivor survivor = Survivor.open(path, isTailDropped))
        {
            return of(survivor);
        }
        catch (final RescueException e)
        {
            throw new ServerException(e.getMessage(), e);
        }
    }

    /**
     * Makes another data directory from that of a member: a new table of a server that is alone, with all entries that
     * the member has. The member's directory stays as it is. If that fails, the other one holds no table.
     *
     * @param path          of the member's directory.
     * @param directory     to make, missing or empty.
     * @param isTailDropped whether a damaged log counts up to the damage.
     * @param onRead        hears what the member has, before anything is made.
     * @return id of the new table.
     * @throws ServerException as {@link #survey}, or if the directory holds something or cannot be written.
     */
    public static long rescue(
        final Path path, final Path directory, final boolean isTailDropped, final Consumer<StoredMember> onRead)
    {
        try
        {
            Rescue.check(path, directory);
            try (Survivor survivor = Survivor.open(path, isTailDropped))
            {
                onRead.accept(of(survivor));
                return new Rescue(survivor, directory).run();
            }
        }
        catch (final RescueException e)
        {
            throw new ServerException(e.getMessage(), e);
        }
    }

    private static StoredMember of(final Survivor survivor)
    {
        return new StoredMember(survivor.directory(), survivor.identity().tableId(), survivor.cluster(),
            survivor.partitions().stream().map(StoredMember::of).toList());
    }

    private static StoredPartition of(final SurvivingPartition partition)
    {
        return new StoredPartition(partition.number(), partition.snapshotIndex(),
            partition.header() == null ? 0 : partition.header().records(), partition.lastIndex(), partition.lastTerm(),
            partition.lastMs(), partition.leftOut());
    }
}
