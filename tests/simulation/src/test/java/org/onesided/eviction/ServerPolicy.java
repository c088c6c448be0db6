package org.onesided.eviction;

/** A cache as the server has it: it learns of puts, and of lookups only what clients report. */
abstract class ServerPolicy implements Policy
{
    final Records records;
    final Randomness random = new Randomness(42);
    final long capacity;
    /** Records put so far: the time of the shard. */
    int now;

    ServerPolicy(final Trace trace, final long capacity)
    {
        records = new Records(trace);
        this.capacity = capacity;
    }

    @Override
    public final boolean contains(final int key)
    {
        return records.contains(key);
    }

    @Override
    public final void put(final int key)
    {
        now++;
        if (records.contains(key) || records.size(key) > capacity)
        {
            return;
        }
        records.add(key);
        added(key);
        while (records.bytes() > capacity)
        {
            final int victim = victim();
            records.remove(victim);
            removed(victim);
        }
    }

    /** The record of a key was put. */
    abstract void added(int key);

    /** The record of a key was evicted. */
    void removed(final int key)
    {
    }

    /** Chooses the record to evict. */
    abstract int victim();
}
