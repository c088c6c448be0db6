package org.onesided.eviction;

/** Goes over buckets, takes one mark off each record that it meets, and stops at a record without one. */
final class Hand
{
    private final Buckets buckets;
    private final byte[] marks;
    private int bucket;
    private int key = Buckets.NONE;

    Hand(final Buckets buckets, final byte[] marks)
    {
        this.buckets = buckets;
        this.marks = marks;
    }

    Buckets buckets()
    {
        return buckets;
    }

    /** The next record without a mark, which the caller then removes. */
    int next()
    {
        while (true)
        {
            while (key == Buckets.NONE)
            {
                bucket = (bucket + 1) % buckets.count();
                key = buckets.first(bucket);
            }
            final int met = key;
            key = buckets.next(met);
            if (marks[met] == 0)
            {
                return met;
            }
            marks[met]--;
        }
    }
}
