package org.onesided.tools.load.run;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.onesided.tools.load.output.ClientTotals;
import org.onesided.tools.load.output.StoreFacts;

/**
 * A map whose lookups or puts do something before, and are counted as lookups.
 */
final class HookedAccess implements StoreAccess
{
    private static final long TOTALS_MS = 20;

    private final MapAccess map = new MapAccess();
    private final AtomicLong calls = new AtomicLong();
    private final Runnable beforeGet;
    private final Runnable beforePut;
    private final boolean isKept;
    /** Before each so many puts by version another changes the key; 0 for none. */
    private int contestedEvery;
    private int versionedPuts;

    private HookedAccess(final Runnable beforeGet, final Runnable beforePut, final boolean isKept)
    {
        this.beforeGet = beforeGet;
        this.beforePut = beforePut;
        this.isKept = isKept;
    }

    /** One whose lookups take a while. */
    static HookedAccess slow(final long lookupMs)
    {
        return new HookedAccess(() -> pause(lookupMs), () -> { }, false);
    }

    /** One with which no session can be opened. */
    static StoreAccess broken(final Error thrown)
    {
        final HookedAccess access = kept();
        return new StoreAccess()
        {
            @Override
            public Session open()
            {
                throw thrown;
            }

            @Override
            public StoreFacts facts()
            {
                return access.facts();
            }

            @Override
            public ClientTotals totals()
            {
                return access.totals();
            }

            @Override
            public void close()
            {
                access.close();
            }
        };
    }

    /** One that refuses puts. */
    static HookedAccess full()
    {
        return new HookedAccess(
            () -> { },
            () ->
            {
                throw new IllegalStateException("no room");
            },
            false);
    }

    /** One that is still there when it was closed. */
    static HookedAccess kept()
    {
        return new HookedAccess(() -> { }, () -> { }, true);
    }

    /** One where another changes the key before each so many puts by version. For one thread. */
    static HookedAccess contested(final int every)
    {
        final HookedAccess access = kept();
        access.contestedEvery = every;
        return access;
    }

    /** Lookups and puts so far. */
    long calls()
    {
        return calls.get();
    }

    @Override
    public Session open()
    {
        final Session session = map.open();
        return new Session()
        {
            @Override
            public int get(final DirectBuffer key, final int keyLength, final MutableDirectBuffer value)
            {
                calls.incrementAndGet();
                beforeGet.run();
                return session.get(key, keyLength, value);
            }

            @Override
            public void put(
                final DirectBuffer key, final int keyLength, final DirectBuffer value, final int valueLength)
            {
                calls.incrementAndGet();
                beforePut.run();
                session.put(key, keyLength, value, valueLength);
            }

            @Override
            public int getVersioned(final DirectBuffer key, final int keyLength, final MutableDirectBuffer value)
            {
                calls.incrementAndGet();
                beforeGet.run();
                return session.getVersioned(key, keyLength, value);
            }

            @Override
            public boolean putIfUnchanged(
                final DirectBuffer key, final int keyLength, final DirectBuffer value, final int valueLength)
            {
                calls.incrementAndGet();
                if (contestedEvery > 0 && ++versionedPuts % contestedEvery == 0)
                {
                    session.put(key, keyLength, value, valueLength);
                }
                return session.putIfUnchanged(key, keyLength, value, valueLength);
            }

            @Override
            public void close()
            {
                session.close();
            }
        };
    }

    @Override
    public StoreFacts facts()
    {
        return map.facts();
    }

    @Override
    public ClientTotals totals()
    {
        // So late that whoever does not wait for it is done with a short phase.
        pause(TOTALS_MS);
        return new ClientTotals(calls.get(), 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    @Override
    public void close()
    {
        if (!isKept)
        {
            map.close();
        }
    }

    private static void pause(final long ms)
    {
        final long endNs = System.nanoTime() + ms * 1_000_000;
        while (System.nanoTime() - endNs < 0)
        {
            LockSupport.parkNanos(endNs - System.nanoTime());
        }
    }
}
