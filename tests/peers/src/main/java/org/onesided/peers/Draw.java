package org.onesided.peers;

/**
 * Draws numbers of records, the same ones for the same seed. Not thread-safe.
 */
public abstract class Draw
{
    private static final long STEP = 0x9E37_79B9_7F4A_7C15L;

    private long state;

    private Draw(final long seed)
    {
        state = mix(seed);
    }

    /**
     * @return the next number.
     */
    public abstract long next();

    /**
     * @param count of records, all equally likely.
     * @param seed  of the sequence.
     * @return what draws from them.
     */
    public static Draw uniform(final long count, final long seed)
    {
        return new Uniform(count, seed);
    }

    /**
     * @param count of records; few of them are drawn often, as YCSB's "zipfian" does with its constant 0.99, and they
     *              are scattered over all numbers.
     * @param seed  of the sequence.
     * @return what draws from them.
     */
    public static Draw zipfian(final long count, final long seed)
    {
        return new Zipfian(count, seed);
    }

    /** The finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
    static long mix(final long word)
    {
        final long first = (word ^ word >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        final long second = (first ^ first >>> 27) * 0x94D0_49BB_1331_11EBL;
        return second ^ second >>> 31;
    }

    final long nextWord()
    {
        state += STEP;
        return mix(state);
    }

    private static final class Uniform extends Draw
    {
        private final long count;

        private Uniform(final long count, final long seed)
        {
            super(seed);
            this.count = count;
        }

        @Override
        public long next()
        {
            // Of 63 bits, so that the product's high word has no sign.
            return Math.multiplyHigh(nextWord() >>> 1, count << 1);
        }
    }

    /** After Gray et al., "Quickly Generating Billion-Record Synthetic Databases", SIGMOD 1994. */
    private static final class Zipfian extends Draw
    {
        private static final double THETA = 0.99;

        private final long count;
        private final double zetaOfCount;
        private final double eta;

        private Zipfian(final long count, final long seed)
        {
            super(seed);
            this.count = count;
            double sum = 0;
            for (long i = 1; i <= count; i++)
            {
                sum += 1 / Math.pow(i, THETA);
            }
            zetaOfCount = sum;
            final double zetaOfTwo = 1 + Math.pow(0.5, THETA);
            eta = (1 - Math.pow(2.0 / count, 1 - THETA)) / (1 - zetaOfTwo / zetaOfCount);
        }

        @Override
        public long next()
        {
            final double u = (nextWord() >>> 11) * 0x1.0p-53;
            final double share = u * zetaOfCount;
            final long rank;
            if (share < 1)
            {
                rank = 0;
            }
            else if (share < 1 + Math.pow(0.5, THETA))
            {
                rank = 1;
            }
            else
            {
                rank = Math.min(count - 1, (long)(count * Math.pow(eta * u - eta + 1, 1 / (1 - THETA))));
            }
            return Math.multiplyHigh(mix(rank) >>> 1, count << 1);
        }
    }
}
