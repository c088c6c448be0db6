package org.onesided.server;

import org.onesided.server.accept.Acceptor;
import org.onesided.server.shard.agent.CreditedQueuePair;
import org.onesided.server.shard.agent.ShardListener;
import org.onesided.server.shard.logged.SnapshotInstalledException;
import org.onesided.server.shard.reign.ShardRole;

/**
 * Passes on what happens to shards: the acceptor hears of sessions and roles, and what a shard cannot go on after ends
 * its device or the server. Made before the acceptor, and called by the shards' threads, which start after it was made.
 */
final class ShardEvents implements ShardListener
{
    private final OfferedDevices devices;
    private final ServerFailure failure;
    private volatile Acceptor acceptor;

    ShardEvents(final OfferedDevices devices, final ServerFailure failure)
    {
        this.devices = devices;
        this.failure = failure;
    }

    /** To be called before the shards' threads start. */
    void tell(final Acceptor ofClients)
    {
        acceptor = ofClients;
    }

    @Override
    public void onEnded(final CreditedQueuePair queuePair, final String reason)
    {
        acceptor.onEnded(queuePair, reason);
    }

    @Override
    public void onBroken(final int device, final String reason)
    {
        devices.onFailed(device, reason);
    }

    @Override
    public void onRole(final int shard, final ShardRole role)
    {
        acceptor.onRole(shard, role);
    }

    @Override
    public void onFailed(final int shard, final RuntimeException cause)
    {
        if (cause instanceof SnapshotInstalledException)
        {
            failure.beginAnew("partition was far behind, and a snapshot of its leader has come: partition=" +
                shard, cause);
            return;
        }
        failure.fail("shard cannot apply its log: shard=" + shard, cause);
    }
}
