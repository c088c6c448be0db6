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
    private static final int LENGTH = 8 << 10;
    /** No key of the clients, nor of {@link Growth}, is so short. */
    private static final int KEY_LENGTH = 3;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final boolean evicts;

    /**
     * @param client to put by, closed with this.
     */
    Tide(final StoreClient client)
    {
        super(client, "tide");
        evicts = client.server().evicts();
        start();
    }

    @Override
    void run()
    {
        final int pairs = evicts ? MANY_PAIRS : PAIRS;
        while (!isClosed())
        {
            for (int i = 0; i < 2 * pairs && !isClosed(); i++)
            {
                final byte[] key = String.format("t%02d", i % pairs).getBytes(StandardCharsets.UTF_8);
                if (i < pairs || evicts)
                {
                    put(key, new byte[LENGTH]);
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
        return key.capacity() == KEY_LENGTH && value.capacity() == LENGTH;
    }
}
