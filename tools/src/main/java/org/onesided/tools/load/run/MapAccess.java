package org.onesided.tools.load.run;

import java.util.concurrent.ConcurrentHashMap;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.tools.load.output.ClientTotals;
import org.onesided.tools.load.output.StoreFacts;

/**
 * A map in this process instead of a store, to measure the limit of the load generator itself.
 */
public final class MapAccess implements StoreAccess
{
    private final ConcurrentHashMap<DirectBuffer, byte[]> map = new ConcurrentHashMap<>();

    @Override
    public Session open()
    {
        return new MapSession();
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
        map.clear();
    }

    private final class MapSession implements Session
    {
        private final UnsafeBuffer asked = new UnsafeBuffer(0, 0);
        /** What the latest lookup found, or null. Each put has an array of its own, so this is a version, too. */
        private byte[] found;

        @Override
        public int get(final DirectBuffer key, final int keyLength, final MutableDirectBuffer value)
        {
            found = map.get(asked(key, keyLength));
            if (found == null)
            {
                return ABSENT;
            }
            value.putBytes(0, found);
            return found.length;
        }

        @Override
        public void put(
            final DirectBuffer key, final int keyLength, final DirectBuffer value, final int valueLength)
        {
            final byte[] copy = copy(value, valueLength);
            if (map.replace(asked(key, keyLength), copy) == null)
            {
                map.put(new UnsafeBuffer(copy(key, keyLength)), copy);
            }
        }

        @Override
        public int getVersioned(final DirectBuffer key, final int keyLength, final MutableDirectBuffer value)
        {
            return get(key, keyLength, value);
        }

        @Override
        public boolean putIfUnchanged(
            final DirectBuffer key, final int keyLength, final DirectBuffer value, final int valueLength)
        {
            return map.replace(asked(key, keyLength), found, copy(value, valueLength));
        }

        private static byte[] copy(final DirectBuffer buffer, final int length)
        {
            final byte[] copy = new byte[length];
            buffer.getBytes(0, copy);
            return copy;
        }

        /** Buffers with the same bytes are equal. */
        private DirectBuffer asked(final DirectBuffer key, final int keyLength)
        {
            asked.wrap(key, 0, keyLength);
            return asked;
        }

        @Override
        public void close()
        {
            // Nothing to close.
        }
    }
}
