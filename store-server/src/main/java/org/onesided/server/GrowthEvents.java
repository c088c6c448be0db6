package org.onesided.server;

import java.util.List;
import org.onesided.server.accept.Acceptor;
import org.onesided.server.memory.GrowthListener;
import org.onesided.server.memory.MemoryGrowth;
import org.onesided.server.memory.RetiredMemory;
import org.onesided.server.shard.agent.Shard;

/**
 * Passes on what happens to the table's memory: shards hear that it has grown, clients that some of it goes. Made
 * before those, and called by the growth thread, which starts after the shards were made.
 */
final class GrowthEvents implements GrowthListener
{
    private final List<Shard> shards;
    private final ServerFailure failure;
    /** Null until the growth thread starts. */
    private MemoryUse use;
    /** Null as long as clients may not come. */
    private volatile Acceptor acceptor;

    /**
     * @param shards  of the server, once they are made.
     * @param failure of the server.
     */
    GrowthEvents(final List<Shard> shards, final ServerFailure failure)
    {
        this.shards = shards;
        this.failure = failure;
    }

    /** To be called before the growth thread starts. */
    void watch(final MemoryUse ofTable)
    {
        use = ofTable;
    }

    /** Clients may come from here on, so what goes must be confirmed by them. */
    void accept(final Acceptor ofClients)
    {
        acceptor = ofClients;
    }

    @Override
    public void onGrown(final int shard)
    {
        shards.get(shard).wakeUp();
    }

    @Override
    public void retire(final RetiredMemory retired, final Runnable then)
    {
        final Acceptor ofClients = acceptor;
        if (ofClients != null)
        {
            ofClients.retire(retired, then);
        }
        else
        {
            // Nobody READs yet, and the records that are being read back may need the memory.
            then.run();
        }
    }

    @Override
    public void onLook()
    {
        use.check();
    }

    @Override
    public void onFailed(final Throwable cause)
    {
        failure.agentEnded(MemoryGrowth.THREAD, cause);
    }
}
