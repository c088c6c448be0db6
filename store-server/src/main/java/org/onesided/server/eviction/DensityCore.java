package org.onesided.server.eviction;

import java.util.function.LongSupplier;

/**
 * What the policy knows and learns of a cache's records, wherever they are kept: tells the state of a record that comes
 * or is looked up, and what a record is worth. Time is counted in insertions. Not thread-safe.
 */
final class DensityCore
{
    /** Candidates for each record that leaves. */
    static final int DRAWN = 21;
    /** Bytes of a record in the index. */
    static final long INDEX_LENGTH = 21;

    /** The records turn over in 64 to 128 ticks. */
    private static final int TICKS_OF_TURNOVER = 64;
    /** All classes are learned anew in the time in which half of the records leave. */
    private static final int LESSONS = 2 * RecordState.CLASSES;

    private final LongSupplier records;
    private final Densities densities = new Densities(DRAWN);
    /** Made when the first record leaves. */
    private KeyHistory history;
    private int ticks;
    private long tick = 1;
    private long insertions;
    private int lastEvictionTick;
    private long chosen;
    private int nextClass;

    /**
     * @param records how many there are.
     */
    DensityCore(final LongSupplier records)
    {
        this.records = records;
    }

    /** State of a record that comes for a key. */
    short inserted(final long key)
    {
        insertions++;
        if (insertions >= tick)
        {
            insertions = 0;
            ticks++;
            tick = Math.max(1, Long.highestOneBit(records.getAsLong() / TICKS_OF_TURNOVER));
        }
        return RecordState.of(count(key), false, ticks);
    }

    /** State of a key's record after a report of a lookup, which counts as much as its weight. */
    short touched(final long key, final short state, final double weight)
    {
        // Lookups count beside candidates, so only while candidates are drawn.
        if (history != null && ticks - lastEvictionTick <= 1)
        {
            densities.onHit(RecordState.cell(state, ticks), weight);
        }
        return RecordState.of(count(key), true, ticks);
    }

    /** A key has come once more; how often it came of late. */
    int count(final long key)
    {
        return history == null ? 1 : history.add(key);
    }

    /** A record is to leave: called before its candidates are drawn. */
    void beginChoice()
    {
        lastEvictionTick = ticks;
        final long count = records.getAsLong();
        if (history == null)
        {
            history = new KeyHistory(count);
            for (int i = 0; i < RecordState.CLASSES; i++)
            {
                densities.learn(i, count, tick);
            }
        }
        else if (!history.fits(count))
        {
            history = new KeyHistory(count);
        }
        chosen++;
        if (chosen >= Math.max(1, history.records() / LESSONS))
        {
            chosen = 0;
            densities.learn(nextClass, count, tick);
            nextClass = (nextClass + 1) % RecordState.CLASSES;
        }
    }

    /** A record is a candidate; what it is worth for each of its bytes. */
    double draw(final short state, final long length)
    {
        final int cell = RecordState.cell(state, ticks);
        densities.onSeen(cell);
        return densities.value(cell) / (length + INDEX_LENGTH);
    }
}
