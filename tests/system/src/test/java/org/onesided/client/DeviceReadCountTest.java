package org.onesided.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.session.ClientContext;
import org.onesided.client.types.ClientStatistics;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;

/**
 * The READs that a client counts are those that its device counts, to the last one, and those that the server is told
 * of. READs of the segment directory are left out.
 */
class DeviceReadCountTest
{
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(20);
    private static final int KEYS = 500;

    private final Random random = new Random(4);

    @Test
    void shouldCountWhatTheDeviceCounts() throws Exception
    {
        final ServerOptions options =
            new ServerOptions().listenHost("127.0.0.1").listenPort(0).memory(64 << 20).shards(2).device("shm");
        try (StoreServer server = StoreServer.start(options))
        {
            final ClientContext context = BareSession.context("127.0.0.1:" + server.address().getPort());
            try (StoreSession writer = new StoreSession(context, Operation.CONNECT, DEADLINE_NS, false);
                StoreSession session = new StoreSession(context, Operation.CONNECT, DEADLINE_NS, false))
            {
                // The first lookup READs the segment directory, too, which no operation counts.
                work(writer, session);
                assertCounted(context, session, () -> work(writer, session));
                assertCounted(context, session, () -> assertTrue(session.warmUp() > 0));
                assertCounted(context, session, () -> work(writer, session));
                assertCounted(context, session, () -> session.scan((key, value) -> { }));
                final ClientStatistics counted = session.clientStatistics();
                assertTrue(counted.gets() > KEYS && counted.misses() > 0);
                final ClientStatistics reported = session.reportedStatistics();
                assertEquals(counted.gets(), reported.gets());
                assertEquals(counted.reads(), reported.reads());
                assertEquals(counted.bytesRead(), reported.bytesRead());
            }
            finally
            {
                context.close();
                context.lifeLine().close();
                context.device().release();
            }
        }
    }

    private static void assertCounted(final ClientContext context, final StoreSession session, final Runnable work)
    {
        final ClientStatistics before = session.clientStatistics();
        final long readsBefore = counter(context, "rdma_reads");
        final long bytesBefore = counter(context, "rdma_read_bytes");
        work.run();
        final ClientStatistics after = session.clientStatistics();
        assertTrue(after.reads() > before.reads());
        assertEquals(counter(context, "rdma_reads") - readsBefore, after.reads() - before.reads());
        assertEquals(counter(context, "rdma_read_bytes") - bytesBefore, after.bytesRead() - before.bytesRead());
    }

    private static long counter(final ClientContext context, final String name)
    {
        return context.device().device().context().queryCounters(1).get(name);
    }

    /** Puts and deletes of the writer, which READs nothing, make the other's mirror stale. */
    private void work(final StoreSession writer, final StoreSession session)
    {
        final List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < KEYS; i++)
        {
            final byte[] key = ("key-" + random.nextInt(KEYS)).getBytes(StandardCharsets.UTF_8);
            all.add(key);
            final boolean isLong = random.nextInt(10) == 0;
            writer.put(key, new byte[isLong ? 200_000 + random.nextInt(200_000) : random.nextInt(3000)]);
            session.get(("key-" + random.nextInt(KEYS)).getBytes(StandardCharsets.UTF_8));
            session.contains("absent-" + i);
            if (random.nextInt(4) == 0)
            {
                writer.delete("key-" + random.nextInt(KEYS));
            }
        }
        session.getAll(all, (index, value) -> { });
    }
}
