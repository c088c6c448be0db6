package org.onesided.linearizability;

/**
 * What is known of the moment when a key's time comes, on the clients' clock. The time to live begins when the server
 * executes the write, and only the server's clock tells when it is over.
 */
interface ExpiryTimes
{
    /** Of histories whose keys do not expire. */
    ExpiryTimes NONE = new ExpiryTimes()
    {
        @Override
        public long earliestNs(final long invokeNs, final long ttlNs)
        {
            return Long.MIN_VALUE;
        }

        @Override
        public long latestNs(final long endNs, final long ttlNs)
        {
            return Long.MAX_VALUE;
        }

        @Override
        public long goneNs(final long endNs, final long ttlNs)
        {
            return Long.MAX_VALUE;
        }
    };

    /** Whether any key may leave at any moment, as by eviction. */
    default boolean mayLeave()
    {
        return false;
    }

    /** The same times of a server that evicts. */
    static ExpiryTimes evicting(final ExpiryTimes times)
    {
        return new ExpiryTimes()
        {
            @Override
            public boolean mayLeave()
            {
                return true;
            }

            @Override
            public long earliestNs(final long invokeNs, final long ttlNs)
            {
                return times.earliestNs(invokeNs, ttlNs);
            }

            @Override
            public long latestNs(final long endNs, final long ttlNs)
            {
                return times.latestNs(endNs, ttlNs);
            }

            @Override
            public long goneNs(final long endNs, final long ttlNs)
            {
                return times.goneNs(endNs, ttlNs);
            }
        };
    }

    /** The first moment at which the time may come if the write began at {@code invokeNs}. */
    long earliestNs(long invokeNs, long ttlNs);

    /**
     * When the time has come for all requests if the write had been executed by {@code endNs}; {@link Long#MAX_VALUE}
     * if that is not known.
     */
    long latestNs(long endNs, long ttlNs);

    /** When no READ can find the key any more, not before {@link #latestNs}. */
    long goneNs(long endNs, long ttlNs);
}
