package org.onesided.server.eviction;

import org.onesided.protocol.bootstrap.AccessWord;
import org.onesided.server.table.EvictionCandidates;
import org.onesided.server.table.Evictions;
import org.onesided.server.table.Evictor;
import org.onesided.server.table.ShardTable;
import org.onesided.server.table.StateRandom;

/**
 * Lets that of some records leave which is worth least for its bytes: it will be looked up least, as far as was learned
 * of records of its class and age ({@link Densities}). The class says how often the key came of late, the age is the
 * time since the record was put or a client last reported a lookup of it.
 */
final class DensityPolicy implements Evictor, AccessListener
{
    /** Reports of which {@link #sampling} is an average. */
    private static final double AVERAGED = 64;
    /** The estimator looks at the memory once in so many records that leave. */
    private static final int RESIZE_PERIOD = 256;

    private final ShardTable table;
    private final Evictions evictions;
    private final DensityCore core;
    private final StateRandom random;
    private final HitEstimator estimator;
    private final SampledKeys sampledKeys;
    private int untilResize;
    /** One lookup in so many is reported, on average of late. */
    private double sampling = 16;

    /**
     * @param table       whose records leave.
     * @param seed        of the policy's pseudo-random numbers.
     * @param sampledKeys is told of which keys all hits are to be reported.
     */
    DensityPolicy(final ShardTable table, final long seed, final SampledKeys sampledKeys)
    {
        this.table = table;
        this.sampledKeys = sampledKeys;
        evictions = table.evictions();
        core = new DensityCore(table::recordCount);
        random = new StateRandom(seed);
        estimator = new HitEstimator(random);
    }

    @Override
    public short onInserted(final long hash, final long length)
    {
        final long key = AccessWord.key(hash);
        if (estimator.takes(key))
        {
            estimator.onLookup(key, length, isDrawn(), 1);
        }
        return core.inserted(key);
    }

    @Override
    public short onOverwritten(final long hash, final short state)
    {
        return isDrawn() ? core.touched(AccessWord.key(hash), state, 1) : state;
    }

    /** What the shard sees of itself counts as seldom as what clients report. */
    private boolean isDrawn()
    {
        return random.below((long)Math.ceil(sampling)) == 0;
    }

    @Override
    public void onDeleted(final long hash)
    {
        estimator.onDeleted(AccessWord.key(hash));
    }

    @Override
    public void onAccess(final long key, final boolean isFound, final boolean isDrawn, final int of)
    {
        if (isDrawn)
        {
            sampling += (of - sampling) / AVERAGED;
            estimator.count(of);
        }
        if (!isFound)
        {
            return;
        }
        final double weight = of / sampling;
        if (evictions.find(key))
        {
            if (isDrawn)
            {
                evictions.state(core.touched(key, evictions.state(), weight));
            }
            if (estimator.takes(key))
            {
                estimator.onLookup(key, evictions.length(), isDrawn, weight);
            }
        }
        else if (isDrawn)
        {
            core.count(key);
        }
    }

    @Override
    public int candidatesWanted()
    {
        return DensityCore.DRAWN;
    }

    @Override
    public int choose(final EvictionCandidates candidates)
    {
        untilResize--;
        if (untilResize < 0)
        {
            untilResize = RESIZE_PERIOD;
            estimator.resize(
                table.recordCount(), evictions.heapLength() + table.recordCount() * DensityCore.INDEX_LENGTH);
            sampledKeys.bits(estimator.bits());
        }
        core.beginChoice();
        int best = -1;
        double least = Double.MAX_VALUE;
        for (int i = 0; i < candidates.count(); i++)
        {
            final double worth = core.draw(candidates.state(i), candidates.length(i));
            if (worth < least && candidates.mayLeave(i))
            {
                least = worth;
                best = i;
            }
        }
        return best;
    }

    @Override
    public long estimatedHits(final int doublings)
    {
        return estimator.hits(doublings);
    }

    @Override
    public long estimatedLookups()
    {
        return estimator.lookups();
    }
}
