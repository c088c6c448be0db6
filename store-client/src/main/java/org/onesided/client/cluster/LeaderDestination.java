package org.onesided.client.cluster;

import static org.onesided.client.bootstrap.AttachFailedException.Kind.PERMANENT;

import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.bootstrap.ClusterMap;
import org.onesided.client.bootstrap.HostAndPort;
import org.onesided.client.lease.HeldLease;
import org.onesided.client.session.Destination;
import org.onesided.protocol.table.Superblock;

/**
 * The member that leads a partition, whichever that is. Thread-safe.
 */
public final class LeaderDestination implements Destination
{
    private final Leaders leaders;
    private final ClusterMap map;
    private final int shard;
    private final String text;

    /**
     * @param leaders of the cluster, which have had a first answer.
     * @param shard   of the table.
     */
    public LeaderDestination(final Leaders leaders, final int shard)
    {
        this.leaders = leaders;
        this.shard = shard;
        map = leaders.map();
        text = leaders.text() + " partition=" + shard;
    }

    @Override
    public HostAndPort address(final boolean isAnew, final long deadlineNs) throws AttachFailedException
    {
        return leaders.address(shard, isAnew, deadlineNs);
    }

    @Override
    public HostAndPort latest()
    {
        final HostAndPort known = leaders.known(shard);
        return known == null ? leaders.first() : known;
    }

    @Override
    public String text()
    {
        return text;
    }

    @Override
    public int shard()
    {
        return shard;
    }

    @Override
    public long leaseNs()
    {
        return map.leaseNs();
    }

    @Override
    public long patienceNs()
    {
        return HeldLease.patienceNs(map.leaseNs());
    }

    @Override
    public boolean isMoving()
    {
        return true;
    }

    @Override
    public void check(final Superblock superblock) throws AttachFailedException
    {
        if (superblock.tableId() != map.tableId() || superblock.hashSeed() != map.hashSeed() ||
            superblock.shards().size() != map.shards())
        {
            throw new AttachFailedException(PERMANENT, "member has another table than its cluster: table=" +
                Long.toHexString(superblock.tableId()) + " expected=" + Long.toHexString(map.tableId()) + " shards=" +
                superblock.shards().size() + " expected=" + map.shards(), null);
        }
    }
}
