package org.onesided.linearizability;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.agrona.DirectBuffer;
import org.onesided.client.StoreClient;

/**
 * Puts pairs that no client asks for, as the clients' operations go on, so that buckets are split all the while on a
 * busy machine, too.
 */
final class Growth extends SidePairs
{
    /** Pairs in all: they take as much of the heap as the settings of a run add for them. */
    static final int PAIRS = 8_000;

    /** No key of the clients is so short. */
    private static final int KEY_LENGTH = 7;
    /** Least time per operation of the clients. */
    private static final long OPERATION_NS = 30_000;
    /** Operations that clients may not have brought into their files yet, about. */
    private static final long UNSEEN = 16_000;
    private static final long WAIT_NS = 10_000_000;

    private final long operations;
    private final LongSupplier recorded;
    private final long pauseNs;

    /**
     * @param client     to put by, closed with this.
     * @param operations of the run.
     * @param recorded   tells how many of them are in the clients' files.
     */
    Growth(final StoreClient client, final long operations, final LongSupplier recorded)
    {
        super(client, "growth");
        this.operations = operations;
        this.recorded = recorded;
        pauseNs = operations * OPERATION_NS / PAIRS;
        start();
    }

    @Override
    void run()
    {
        for (int i = 0; i < PAIRS && !isClosed(); i++)
        {
            put(String.format("g%06d", i).getBytes(StandardCharsets.UTF_8), new byte[0]);
            LockSupport.parkNanos(pauseNs);
            while (!isClosed() && (recorded.getAsLong() + UNSEEN) * PAIRS < i * operations)
            {
                LockSupport.parkNanos(WAIT_NS);
            }
        }
    }

    /** Whether a pair is one of these. */
    static boolean isOne(final DirectBuffer key, final DirectBuffer value)
    {
        return key.capacity() == KEY_LENGTH && value.capacity() == 0;
    }
}
