package org.onesided.eviction;

/**
 * S3-FIFO: new records pass a queue of a tenth of the memory and stay only if they are reported meanwhile. Those that
 * come again soon after they left it skip it. The main part is a {@link Hand} over buckets, since a queue costs memory.
 */
final class S3Fifo extends ServerPolicy
{
    private static final int SMALL_SHARE = 10;
    private static final int MOST_MARKS = 3;

    private final byte[] marks;
    private final boolean[] isSmall;
    private final Hand main;
    private final IntQueue small;
    private final IntQueue ghosts;
    private final int[] ghostNumbers;
    private final int mostGhosts;
    private int ghostNumber;
    private long smallBytes;

    S3Fifo(final Trace trace, final long capacity)
    {
        super(trace, capacity);
        mostGhosts = trace.recordsIn(capacity);
        marks = new byte[trace.keyCount()];
        isSmall = new boolean[trace.keyCount()];
        ghostNumbers = new int[trace.keyCount()];
        main = new Hand(new Buckets(trace.keyCount(), mostGhosts), marks);
        small = new IntQueue();
        ghosts = new IntQueue();
    }

    @Override
    public void report(final int key)
    {
        marks[key] = (byte)Math.min(MOST_MARKS, marks[key] + 1);
    }

    @Override
    void added(final int key)
    {
        marks[key] = 0;
        if (ghostNumbers[key] > 0)
        {
            ghostNumbers[key] = 0;
            main.buckets().add(key);
            return;
        }
        isSmall[key] = true;
        smallBytes += records.size(key);
        small.add(key);
    }

    @Override
    void removed(final int key)
    {
        if (!isSmall[key])
        {
            main.buckets().remove(key);
        }
        isSmall[key] = false;
    }

    @Override
    int victim()
    {
        while (smallBytes * SMALL_SHARE > capacity || smallBytes == records.bytes())
        {
            final int key = small.remove();
            smallBytes -= records.size(key);
            if (marks[key] == 0)
            {
                remember(key);
                return key;
            }
            isSmall[key] = false;
            marks[key] = 0;
            main.buckets().add(key);
        }
        return main.next();
    }

    private void remember(final int key)
    {
        ghostNumbers[key] = ++ghostNumber;
        ghosts.add(key);
        if (ghosts.size() > mostGhosts)
        {
            final int oldest = ghosts.remove();
            if (ghostNumbers[oldest] <= ghostNumber - mostGhosts)
            {
                ghostNumbers[oldest] = 0;
            }
        }
    }
}
