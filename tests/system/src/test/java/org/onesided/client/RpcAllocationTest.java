package org.onesided.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.agrona.BufferUtil;
import org.junit.jupiter.api.Test;
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
            final ClientContext context = ResumeTest.context("127.0.0.1:" + server.address().getPort());
            try (SessionCore core = new SessionCore(context, Operation.CONNECT, DEADLINE_NS, false))
            {
                put(core, "short", 100);
                put(core, "long!", 20_000);
                assertEquals(0, leastBytes(core, "short", 100));
                assertEquals(0, leastBytes(core, "long!", 20_000));
                assertEquals(0, leastBytes(core, "none!", -1));
            }
            finally
            {
                context.close();
                context.lifeLine().close();
                context.device().release();
            }
        }
    }

    private static void put(final SessionCore core, final String key, final int length)
    {
        core.operation().keySpace().putStringWithoutLengthAscii(0, key);
        core.operation().begin(Operation.PUT, key.length());
        core.newWrites().put(new byte[length], BufferUtil.ARRAY_BASE_OFFSET, length);
        core.endOperation();
    }

    private static long leastBytes(final SessionCore core, final String key, final int length)
    {
        core.operation().keySpace().putStringWithoutLengthAscii(0, key);
        return Allocated.leastBytes(() ->
        {
            for (int i = 0; i < LOOKUPS; i++)
            {
                core.operation().begin(Operation.GET, key.length());
                assertEquals(length, ask(core));
                core.endOperation();
            }
        });
    }

    private static int ask(final SessionCore core)
    {
        final Rpc rpc = core.reconnector().attached(WriteFate.NONE).rpc();
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
