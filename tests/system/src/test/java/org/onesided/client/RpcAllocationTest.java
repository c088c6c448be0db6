package org.onesided.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.request.RequestCodec;
import org.onesided.client.request.Rpc;
import org.onesided.client.session.ClientContext;
import org.onesided.client.session.SessionCore;
import org.onesided.protocol.rpc.codec.GetAnswerDecoder;
import org.onesided.protocol.rpc.codec.ReleaseAnswerDecoder;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;
import org.onesided.testing.Allocated;

/**
 * Lookups that the server answers, which are those that READs could not settle, allocate nothing on either side.
 */
class RpcAllocationTest
{
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(20);
    private static final int LOOKUPS = 500;

    @Test
    void shouldAllocateNothingInLookupsByTheServer() throws Exception
    {
        final ServerOptions options = new ServerOptions()
            .listenHost("127.0.0.1").listenPort(0).memory(64 << 20).shards(1).device("shm");
        try (StoreServer server = StoreServer.start(options))
        {
            final ClientContext context = BareSession.context("127.0.0.1:" + server.address().getPort());
            try (BareSession session = new BareSession(context, DEADLINE_NS))
            {
                session.put("short", new byte[100]);
                session.put("long!", new byte[20_000]);
                assertEquals(0, leastBytes(session, "short", 100));
                assertEquals(0, leastBytes(session, "long!", 20_000));
                assertEquals(0, leastBytes(session, "none!", -1));
            }
            finally
            {
                context.close();
                context.lifeLine().close();
                context.device().release();
            }
        }
    }

    private static long leastBytes(final BareSession session, final String key, final int length)
    {
        final SessionCore core = session.core();
        core.operation().keySpace().putStringWithoutLengthAscii(0, key);
        return Allocated.leastBytes(() ->
        {
            for (int i = 0; i < LOOKUPS; i++)
            {
                core.operation().begin(Operation.GET, key.length());
                assertEquals(length, ask(session));
                core.endOperation();
            }
        });
    }

    private static int ask(final BareSession session)
    {
        final SessionCore core = session.core();
        core.reconnector().attached(WriteFate.NONE);
        final Rpc rpc = session.requests().rpc();
        rpc.get(0, core.operation().keySpace(), core.operation().keyLength());
        final GetAnswerDecoder answer = rpc.awaitGet();
        if (RequestCodec.status(answer.statusRaw()) != Status.OK)
        {
            return -1;
        }
        final int length = (int)answer.wholeLength();
        final long extent = answer.extent();
        rpc.releaseAnswer();
        if (extent != 0)
        {
            rpc.release(0, extent);
            final ReleaseAnswerDecoder released = rpc.awaitRelease();
            if (RequestCodec.status(released.statusRaw()) != Status.OK)
            {
                throw new IllegalStateException("extent is not taken back: extent=" + extent);
            }
            rpc.releaseAnswer();
        }
        return length;
    }
}
