package org.onesided.eviction;

/** Evicts the record with the fewest lookups since it was put, of these the one used least recently. */
final class Lfu implements Policy
{
    private final Records records;
    private final long capacity;
    private final Heap heap;
    private long now;

    Lfu(final Trace trace, final long capacity)
    {
        records = new Records(trace);
        this.capacity = capacity;
        heap = new Heap(trace.keyCount());
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
            heap.put(key, Math.floor(heap.value(key)) + 1 + now++ * 1e-9);
        }
    }

    @Override
    public void put(final int key)
    {
        if (records.contains(key) || records.size(key) > capacity)
        {
            return;
        }
        while (records.bytes() + records.size(key) > capacity)
        {
            records.remove(heap.removeLeast());
        }
        records.add(key);
        heap.put(key, 1 + now++ * 1e-9);
    }
}
