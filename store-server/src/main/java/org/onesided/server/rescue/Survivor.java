package org.onesided.server.rescue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.onesided.server.data.ClusterDescription;
import org.onesided.server.data.ClusterFile;
import org.onesided.server.data.DataDirectoryException;
import org.onesided.server.data.TableIdentity;
import org.onesided.server.data.TableOnDisk;

/**
 * The directory of a member that does not run, and that no server can use until this is closed. Nothing in it is
 * changed but its lock. Not thread-safe.
 */
public final class Survivor implements AutoCloseable
{
    private final Path directory;
    private final Runnable release;
    private final TableIdentity identity;
    private final ClusterDescription cluster;
    private final List<SurvivingPartition> partitions = new ArrayList<>();

    private Survivor(final Path directory, final Runnable release)
    {
        this.directory = directory;
        this.release = release;
        identity = TableOnDisk.identity(directory);
        cluster = ClusterFile.read(directory);
    }

    /**
     * Reads all that a member has.
     *
     * @param directory     of the member.
     * @param isTailDropped whether a damaged log counts up to the damage.
     * @return the member, to be closed by the caller.
     * @throws RescueException if the directory is that of no member, in use, or damaged.
     */
    public static Survivor open(final Path directory, final boolean isTailDropped)
    {
        Runnable release = () -> {};
        boolean isOpen = false;
        try
        {
            release = TableOnDisk.hold(directory);
            final Survivor survivor = new Survivor(directory, release);
            survivor.checkMember();
            final int count = TableOnDisk.shards(directory);
            for (int i = 0; i < count; i++)
            {
                survivor.partitions.add(SurvivingPartition.read(
                    directory, survivor.identity.tableId(), i, count, survivor.cluster.isSpread(), isTailDropped));
            }
            survivor.checkHasAny();
            isOpen = true;
            return survivor;
        }
        catch (final DataDirectoryException e)
        {
            throw new RescueException(e.getMessage(), e);
        }
        catch (final IOException e)
        {
            throw new RescueException("data directory cannot be read: path=" + directory + " cause=" + e, e);
        }
        finally
        {
            if (!isOpen)
            {
                release.run();
            }
        }
    }

    private void checkMember()
    {
        if (cluster == null)
        {
            throw new RescueException("this table is that of a server that is alone, so it needs no rescue, start it " +
                "with kvctl server --data: path=" + directory);
        }
        if (cluster.isRemoved())
        {
            throw new RescueException("this member was removed from its cluster, which went on without it, rescue " +
                "one that was not: path=" + directory + " member=" + cluster.self());
        }
    }

    private void checkHasAny()
    {
        if (partitions.stream().allMatch(SurvivingPartition::isNothing))
        {
            throw new RescueException("this member has nothing of any partition, rescue another one: path=" +
                directory + " member=" + cluster.self());
        }
    }

    /**
     * @return path of the directory.
     */
    public Path directory()
    {
        return directory;
    }

    /**
     * @return identity of the cluster's table.
     */
    public TableIdentity identity()
    {
        return identity;
    }

    /**
     * @return what the member knows of its cluster.
     */
    public ClusterDescription cluster()
    {
        return cluster;
    }

    /**
     * @return what it has of each partition, in their order.
     */
    public List<SurvivingPartition> partitions()
    {
        return List.copyOf(partitions);
    }

    /** Lets servers use the directory. */
    @Override
    public void close()
    {
        release.run();
    }
}
