package org.onesided.linearizability;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;
import org.onesided.client.StoreClient;

/**
 * Puts pairs that no client asks for, and deletes them, again and again, so that heaps get memory and give it back all
 * the while. Of a server that evicts it asks for more than there is room for, and deletes nothing.
 */
final class Tide extends SidePairs
{
    private static final int PAIRS = 24;
    /** Those that a server evicts. */
    private static final int MANY_PAIRS = 100;
    /** Bytes of a value, and of one that many pairs fill the memory of a server with which is killed. */
    static final int LENGTH = 8 << 10;
    static final int LONG = 96 << 10;
    /** No key of the clients, nor of {@link Growth}, is so short. */
    private static final int KEY_LENGTH = 3;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final boolean evicts;
    private final byte[] value;

    /**
     * @param client to put by, closed with this.
     * @param length of a value.
     */
    Tide(final StoreClient client, final int length)
    {
        super(client, "tide");
        value = new byte[length];
        evicts = client.server().evicts();
        start();
    }

    /** Puts the pairs of which some have to leave a server. */
    static void fill(final StoreClient client, final int length)
    {
        for (int i = 0; i < MANY_PAIRS; i++)
        {
            client.put(key(i), new byte[length]);
        }
    }

    private static byte[] key(final int i)
    {
        return String.format("t%02d", i).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    void run()
    {
        final int pairs = evicts ? MANY_PAIRS : PAIRS;
        while (!isClosed())
        {
            for (int i = 0; i < 2 * pairs && !isClosed(); i++)
            {
                final byte[] key = key(i % pairs);
                if (i < pairs || evicts)
                {
                    put(key, value);
                }
                else
                {
                    delete(key);
                }
                if (i % PAIRS == PAIRS - 1)
                {
                    LockSupport.parkNanos(PAUSE_NS);
                }
            }
        }
    }

    /** Whether a pair is one of these. */
    static boolean isOne(final DirectBuffer key, final DirectBuffer value)
    {
        return key.capacity() == KEY_LENGTH && (value.capacity() == LENGTH || value.capacity() == LONG);
    }
}
