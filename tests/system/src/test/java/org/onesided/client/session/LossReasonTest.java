package org.onesided.client.session;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.BareSession;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;
import org.onesided.verbs.AsyncEvent;

/**
 * A port that goes down makes READs fail, which may be seen before the event that tells why.
 */
@Timeout(300)
class LossReasonTest
{
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(20);

    private static String loss(final SessionCore core)
    {
        // All but a little of the deadline.
        core.operation().spend(DEADLINE_NS - TimeUnit.MILLISECONDS.toNanos(50));
        core.operation().begin(Operation.GET);
        try
        {
            return assertThrows(
                StoreDisconnectedException.class, () -> core.reconnector().attached(WriteFate.NONE)).getMessage();
        }
        finally
        {
            core.endOperation();
        }
    }

    @Test
    void shouldSayThatThePortIsDownThoughAReadFailedFirst() throws Exception
    {
        final StoreServer server = StoreServer.start(
            new ServerOptions().listenHost("127.0.0.1").listenPort(0).memory(32 << 20).shards(1).device("shm"));
        final ClientContext context = BareSession.context("127.0.0.1:" + server.address().getPort());
        try (BareSession session = new BareSession(context, DEADLINE_NS))
        {
            final SessionCore core = session.core();
            final DeviceEvents events = new DeviceEvents(context);
            final int port = core.reconnector().attachment().connection().port();
            core.reconnector().detach("READ did not complete");
            server.close();
            events.onPortDown(port + 1, "port down: another");
            final String other = loss(core);
            assertTrue(other.contains("READ did not complete"), other);

            events.onPortDown(port, "port down: port=" + port);
            final String down = loss(core);
            assertTrue(down.contains("port down: port=" + port), down);
            assertFalse(down.contains("READ"), down);

            events.onEvent(new AsyncEvent(AsyncEvent.Type.PORT_ACTIVE, port));
            final String up = loss(core);
            assertFalse(up.contains("port down"), up);
        }
        finally
        {
            context.close();
            context.lifeLine().close();
            context.device().release();
            server.close();
        }
    }
}
