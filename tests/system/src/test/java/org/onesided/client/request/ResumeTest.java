package org.onesided.client.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.BareSession;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.session.Attachment;
import org.onesided.client.session.ClientContext;
import org.onesided.client.session.SessionCore;
import org.onesided.client.types.ShardStatistics;
import org.onesided.testing.ServerProcess;

/**
 * A write whose answer is missing when the queue pairs fail, while the TCP connection is well.
 */
@Timeout(300)
class ResumeTest
{
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(20);
    private static final int ROUNDS = 5;

    @Test
    void shouldDoAWriteOnceWhenTheQueuePairsFailBeforeItsAnswer() throws Exception
    {
        final ExecutorService executor = Executors.newSingleThreadExecutor();
        try (ServerProcess server = ServerProcess.start("--memory", "64m"))
        {
            final ClientContext context = BareSession.context(server.address());
            try (BareSession session = new BareSession(context, DEADLINE_NS))
            {
                final SessionCore core = session.core();
                session.put("key", new byte[1]);
                final RequestSlots slots = session.requests().slots();
                for (int i = 0; i < ROUNDS; i++)
                {
                    final byte[] value = new byte[2 + i];
                    final Attachment attachment = core.reconnector().attached(WriteFate.NONE);
                    final Rpc rpc = session.requests().rpc();
                    server.freeze();
                    final Future<?> put = executor.submit(() -> session.put("key", value));
                    while (!rpc.isOutstanding())
                    {
                        Thread.sleep(1);
                    }
                    attachment.loop().lose("queue pair failed");
                    // Until then it would take an answer, if one came.
                    while (core.reconnector().attachment() == attachment)
                    {
                        Thread.sleep(1);
                    }
                    server.thaw();
                    put.get(60, TimeUnit.SECONDS);
                    core.reconnector().attached(WriteFate.NONE);
                    assertSame(slots, session.requests().slots(), "the session is another one");
                }
                assertEquals(ROUNDS, core.counters().statistics().reconnects());
                core.operation().begin("statistics");
                final long puts = new SessionStatistics(core, session.requests()).ask().stream()
                    .mapToLong(ShardStatistics::puts).sum();
                core.endOperation();
                assertEquals(1 + ROUNDS, puts);
            }
            finally
            {
                context.close();
                context.lifeLine().close();
                context.device().release();
            }
        }
        finally
        {
            executor.shutdownNow();
        }
    }

    @Tag("full")
    @Test
    void shouldNotReconnectAtFullSpeedWhereEachAttachmentIsLostAtOnce() throws Exception
    {
        try (ServerProcess server = ServerProcess.start("--memory", "64m"))
        {
            final ClientContext context = BareSession.context(server.address());
            try (BareSession session = new BareSession(context, DEADLINE_NS))
            {
                final SessionCore core = session.core();
                core.operation().begin(Operation.GET, 1);
                final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
                while (System.nanoTime() - endNs < 0)
                {
                    core.reconnector().attached(WriteFate.NONE).loop().lose("lost at once");
                }
                core.endOperation();
                // Naps double up to half a second; without them there are more than a hundred.
                final long reconnects = core.counters().statistics().reconnects();
                assertTrue(reconnects < 60, "reconnects=" + reconnects);
            }
            finally
            {
                context.close();
                context.lifeLine().close();
                context.device().release();
            }
        }
    }
}
