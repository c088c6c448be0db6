package org.onesided.tools.load.run;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.onesided.tools.load.output.ClientTotals;
import org.onesided.tools.load.output.StoreFacts;

/**
 * A map that now and then does something that a store must not do.
 */
final class LyingAccess implements StoreAccess
{
    private static final int EVERY = 100;

    private final Lie lie;
    private final boolean evicts;
    private final long defaultTtlMs;
    private final Map<String, byte[]> latest = new ConcurrentHashMap<>();
    private final Map<String, byte[]> first = new ConcurrentHashMap<>();
    private final AtomicLong gets = new AtomicLong();
    private final AtomicLong puts = new AtomicLong();

    /** What it does. */
    enum Lie
    {
        /** Nothing of it. */
        NONE,
        /** Changes a byte. */
        CHANGE_A_BYTE,
        /** Gives the value of another key. */
        GIVE_ANOTHER_KEYS,
        /** Gives the first value that a key had. */
        GIVE_THE_FIRST,
        /** Gives nothing. */
        GIVE_NOTHING,
        /** Says that a put was done, which was not. */
        DROP_A_PUT,
        /** Throws. */
        THROW,
    }

    LyingAccess(final Lie lie)
    {
        this(lie, false, 0);
    }

    /** Says that keys may leave. */
    LyingAccess(final Lie lie, final boolean evicts, final long defaultTtlMs)
    {
        this.lie = lie;
        this.evicts = evicts;
        this.defaultTtlMs = defaultTtlMs;
    }

    @Override
    public boolean evicts()
    {
        return evicts;
    }

    @Override
    public long defaultTtlMs()
    {
        return defaultTtlMs;
    }

    @Override
    public Session open()
    {
        return new LyingSession();
    }

    @Override
    public StoreFacts facts()
    {
        return new StoreFacts("map", "", "", 1, -1, false);
    }

    @Override
    public ClientTotals totals()
    {
        return ClientTotals.NONE;
    }

    @Override
    public void close()
    {
        latest.clear();
    }

    private static String text(final DirectBuffer key, final int length)
    {
        return key.getStringWithoutLengthAscii(0, length);
    }

    private final class LyingSession implements Session
    {
        @Override
        public int get(final DirectBuffer key, final int keyLength, final MutableDirectBuffer value)
        {
            final String name = text(key, keyLength);
            final boolean isLie = gets.incrementAndGet() % EVERY == 0;
            byte[] found = latest.get(name);
            if (isLie && lie == Lie.THROW)
            {
                throw new IllegalStateException("no lookup today");
            }
            if (isLie && lie == Lie.GIVE_NOTHING || found == null)
            {
                return ABSENT;
            }
            if (isLie && lie == Lie.GIVE_ANOTHER_KEYS)
            {
                found = latest.entrySet().stream()
                    .filter(pair -> !pair.getKey().equals(name)).findFirst().orElseThrow().getValue();
            }
            if (isLie && lie == Lie.GIVE_THE_FIRST)
            {
                found = first.get(name);
            }
            value.putBytes(0, found);
            if (isLie && lie == Lie.CHANGE_A_BYTE)
            {
                value.putByte(found.length - 1, (byte)~found[found.length - 1]);
            }
            return found.length;
        }

        @Override
        public void put(
            final DirectBuffer key, final int keyLength, final DirectBuffer value, final int valueLength)
        {
            if (puts.incrementAndGet() % EVERY == 0 && lie == Lie.DROP_A_PUT)
            {
                return;
            }
            final byte[] copy = new byte[valueLength];
            value.getBytes(0, copy);
            first.putIfAbsent(text(key, keyLength), copy);
            latest.put(text(key, keyLength), copy);
        }

        @Override
        public int getVersioned(final DirectBuffer key, final int keyLength, final MutableDirectBuffer value)
        {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean putIfUnchanged(
            final DirectBuffer key, final int keyLength, final DirectBuffer value, final int valueLength)
        {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close()
        {
            // Nothing is open.
        }
    }
}
