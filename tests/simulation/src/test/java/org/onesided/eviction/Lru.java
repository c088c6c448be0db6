package org.onesided.eviction;

/** Evicts the record that was used least recently, and sees every lookup. */
final class Lru implements Policy
{
    private final Records records;
    private final long capacity;
    private final int[] before;
    private final int[] behind;
    private final int end;

    Lru(final Trace trace, final long capacity)
    {
        records = new Records(trace);
        this.capacity = capacity;
        end = trace.keyCount();
        before = new int[end + 1];
        behind = new int[end + 1];
        before[end] = end;
        behind[end] = end;
    }

    @Override
    public boolean contains(final int key)
    {
        return records.contains(key);
    }

    @Override
    public void report(final int key)
    {
        if (records.contains(key))
        {
            unlink(key);
            link(key);
        }
    }

    @Override
    public void put(final int key)
    {
        if (records.contains(key) || records.size(key) > capacity)
        {
            return;
        }
        records.add(key);
        link(key);
        while (records.bytes() > capacity)
        {
            final int victim = behind[end];
            unlink(victim);
            records.remove(victim);
        }
    }

    private void link(final int key)
    {
        before[key] = before[end];
        behind[key] = end;
        behind[before[key]] = key;
        before[end] = key;
    }

    private void unlink(final int key)
    {
        behind[before[key]] = behind[key];
        before[behind[key]] = before[key];
    }
}
