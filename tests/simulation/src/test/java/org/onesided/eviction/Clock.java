package org.onesided.eviction;

/**
 * A hand that goes over the buckets of the index and evicts the first record without a mark. A report marks a record,
 * up to so many times, and the hand takes one mark off. With one mark at most and unmarked new records, as in SIEVE.
 */
final class Clock extends ServerPolicy
{
    private final int mostMarks;
    private final byte[] marks;
    private final Hand hand;

    Clock(final Trace trace, final long capacity, final int mostMarks)
    {
        super(trace, capacity);
        this.mostMarks = mostMarks;
        marks = new byte[trace.keyCount()];
        hand = new Hand(new Buckets(trace.keyCount(), trace.recordsIn(capacity)), marks);
    }

    @Override
    public void report(final int key)
    {
        marks[key] = (byte)Math.min(mostMarks, marks[key] + 1);
    }

    @Override
    void added(final int key)
    {
        marks[key] = 0;
        hand.buckets().add(key);
    }

    @Override
    void removed(final int key)
    {
        hand.buckets().remove(key);
    }

    @Override
    int victim()
    {
        return hand.next();
    }
}
