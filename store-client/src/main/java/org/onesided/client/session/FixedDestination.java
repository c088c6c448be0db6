package org.onesided.client.session;

import org.onesided.client.bootstrap.HostAndPort;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.table.Superblock;

/**
 * A server that is alone.
 *
 * @param latest its address.
 */
public record FixedDestination(HostAndPort latest) implements Destination
{
    @Override
    public HostAndPort address(final boolean isAnew, final long deadlineNs)
    {
        return latest;
    }

    @Override
    public String text()
    {
        return latest.toString();
    }

    @Override
    public int shard()
    {
        return Bootstrap.ALL_SHARDS;
    }

    @Override
    public long leaseNs()
    {
        return 0;
    }

    @Override
    public long patienceNs()
    {
        return Long.MAX_VALUE;
    }

    @Override
    public boolean isMoving()
    {
        return false;
    }

    @Override
    public void check(final Superblock superblock)
    {
        // Whatever table it has, it is the server's.
    }
}
