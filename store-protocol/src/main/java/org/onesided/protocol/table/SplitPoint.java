package org.onesided.protocol.table;

/**
 * How far the splitting of a shard's index has come: a level, and how many buckets of its array are split, from the
 * first on. All arrays of lower levels are split whole. It only grows, also as a number.
 *
 * <pre>
 *   63       58 57                                                       0
 *  +-----------+----------------------------------------------------------+
 *  | level     | split                                                    |
 *  +-----------+----------------------------------------------------------+
 * </pre>
 *
 * <p>Whoever knows a split point by a header that says so, or by a word that the server wrote after such headers, knows
 * that the buckets which it leads to are live, or were split since.
 */
public final class SplitPoint
{
    /** Nothing is split. */
    public static final long START = 0;

    private static final int LEVEL_SHIFT = 58;
    private static final long SPLIT_MASK = (1L << LEVEL_SHIFT) - 1;

    private SplitPoint()
    {
    }

    /**
     * @param level of the array that is being split, from 0; less than {@link ShardLayout#MAX_LEVELS}.
     * @param split how many of its buckets are split, less than it has.
     * @return the split point.
     */
    public static long of(final int level, final long split)
    {
        return (long)level << LEVEL_SHIFT | split & SPLIT_MASK;
    }

    /**
     * @param point a split point.
     * @return level of the array that is being split, from 0 to 63.
     */
    public static int level(final long point)
    {
        return (int)(point >>> LEVEL_SHIFT);
    }

    /**
     * @param point a split point.
     * @return how many buckets of the level's array are split.
     */
    public static long split(final long point)
    {
        return point & SPLIT_MASK;
    }
}
