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
 * time since the record was put or a client last reported a lookup of it. Time is counted in puts of new keys.
 */
final class DensityPolicy implements Evictor, AccessListener
{
    /** Candidates for each record that leaves. */
    private static final int DRAWN = 14;
    /** A shard's records turn over in 64 to 128 ticks. */
    private static final int TICKS_OF_TURNOVER = 64;
    /** All classes are learned anew in the time in which half of the records leave. */
    private static final int LESSONS = 2 * RecordState.CLASSES;
    /** Bytes of a record in the index. */
    private static final long INDEX_LENGTH = 21;
    private static final double NOMINAL_SHIFT = 64;

    private final ShardTable table;
    private final Evictions evictions;
    private final Densities densities = new Densities(DRAWN);
    private final StateRandom random;
    /** Made when the first record leaves. */
    private FrequencySketch sketch;
    private int ticks;
    private long tick = 1;
    private long insertions;
    private int lastEvictionTick;
    private long chosen;
    private int nextClass;
    /** One lookup in so many is reported, on average of late. */
    private double sampling = 16;

    /**
     * @param table whose records leave.
     * @param seed  of the policy's pseudo-random numbers.
     */
    DensityPolicy(final ShardTable table, final long seed)
    {
        this.table = table;
        evictions = table.evictions();
        random = new StateRandom(seed);
    }

    @Override
    public short onInserted(final long hash)
    {
        insertions++;
        if (insertions >= tick)
        {
            insertions = 0;
            ticks++;
            tick = Math.max(1, Long.highestOneBit(table.recordCount() / TICKS_OF_TURNOVER));
        }
        return RecordState.of(count(AccessWord.key(hash)), false, ticks);
    }

    @Override
    public short onOverwritten(final long hash, final short state)
    {
        // Lookups are sampled, so what overwrites counts as seldom.
        return random.below((long)Math.ceil(sampling)) > 0 ? state : touch(AccessWord.key(hash), state, 1);
    }

    @Override
    public void onAccess(final long key, final boolean isFound, final int of)
    {
        if (isFound)
        {
            sampling += (of - sampling) / NOMINAL_SHIFT;
            if (evictions.find(key))
            {
                evictions.state(touch(key, evictions.state(), of / sampling));
            }
            else
            {
                count(key);
            }
        }
    }

    private short touch(final long key, final short state, final double weight)
    {
        if (isEvicting())
        {
            densities.onHit(RecordState.cell(state, ticks), weight);
        }
        return RecordState.of(count(key), true, ticks);
    }

    private int count(final long key)
    {
        return sketch == null ? 1 : sketch.add(key);
    }

    /** Whether a record has left of late: only then are candidates drawn, beside which lookups count. */
    private boolean isEvicting()
    {
        return sketch != null && ticks - lastEvictionTick <= 1;
    }

    @Override
    public int candidatesWanted()
    {
        return DRAWN;
    }

    @Override
    public int choose(final EvictionCandidates candidates)
    {
        learn();
        int best = -1;
        double least = Double.MAX_VALUE;
        for (int i = 0; i < candidates.count(); i++)
        {
            final int cell = RecordState.cell(candidates.state(i), ticks);
            densities.onSeen(cell);
            final double value = densities.value(cell) / (candidates.length(i) + INDEX_LENGTH);
            if (value < least && candidates.mayLeave(i))
            {
                least = value;
                best = i;
            }
        }
        return best;
    }

    private void learn()
    {
        lastEvictionTick = ticks;
        final long count = table.recordCount();
        if (sketch == null)
        {
            sketch = new FrequencySketch(count);
            for (int i = 0; i < RecordState.CLASSES; i++)
            {
                densities.learn(i, count, tick);
            }
        }
        else if (!sketch.fits(count))
        {
            sketch = new FrequencySketch(count);
        }
        chosen++;
        if (chosen >= Math.max(1, sketch.records() / LESSONS))
        {
            chosen = 0;
            densities.learn(nextClass, count, tick);
            nextClass = (nextClass + 1) % RecordState.CLASSES;
        }
    }
}
