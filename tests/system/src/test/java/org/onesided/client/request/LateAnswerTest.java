package org.onesided.client.request;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.agrona.BufferUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.BareSession;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.session.ClientContext;
import org.onesided.client.session.SessionCore;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;

/**
 * An answer that nobody has looked for when the attachment is taken down.
 */
@Timeout(300)
class LateAnswerTest
{
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(20);

    @Test
    void shouldTakeAnAnswerThatIsFoundWhileItsAttachmentIsClosed() throws Exception
    {
        try (StoreServer server = StoreServer.start(
            new ServerOptions().listenHost("127.0.0.1").listenPort(0).memory(32 << 20).shards(1).device("shm")))
        {
            final String address = "127.0.0.1:" + server.address().getPort();
            final ClientContext context = BareSession.context(address);
            try (BareSession session = new BareSession(context, DEADLINE_NS);
                StoreClient other = StoreClient.builder().server(address).device("shm").build())
            {
                takeLateAnswer(session, other);
            }
            finally
            {
                context.close();
                context.lifeLine().close();
                context.device().release();
            }
        }
    }

    private static void takeLateAnswer(final BareSession session, final StoreClient other)
    {
        final SessionCore core = session.core();
        final RequestEngine engine = session.engine();
        core.operation().keySpace().putBytes(0, "key".getBytes(UTF_8));
        core.operation().next(Operation.PUT, 3);
        final StagedWrites staged = new StagedWrites(core.operation(), core.reconnector(), engine);
        assertTrue(staged.tryStagePut(
            new byte[1], BufferUtil.ARRAY_BASE_OFFSET, 1, 17, core.operation().newDeadlineNs()));
        session.requests().rpc().post();
        while (!other.contains("key"))
        {
            Thread.onSpinWait();
        }
        // By the second answer, the shard has sent the first one's.
        other.put("a", "1");
        other.put("b", "2");
        core.reconnector().detach("test");

        assertTrue(engine.outcomes().takeNext());
        assertEquals(17, engine.outcomes().correlation());
        assertEquals(Outcomes.PUT, engine.outcomes().kind());
        assertEquals(0, engine.inFlight());
        assertEquals(1, core.counters().statistics().puts());
    }
}
