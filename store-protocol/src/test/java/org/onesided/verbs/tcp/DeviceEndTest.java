package org.onesided.verbs.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.verbs.AsyncEvent;
import org.onesided.verbs.CompletionStatus;

/**
 * What is told and counted of connections whose device ends.
 */
@Timeout(120)
class DeviceEndTest
{
    private static final int AMPLE = 16;
    private static final long HANG_GUARD_NS = TimeUnit.SECONDS.toNanos(60);

    @Test
    void shouldBlameNobodyWhoIsJustConnectingWhenTheDeviceIsClosed() throws IOException
    {
        final TcpContext context;
        final Socket stranger = new Socket();
        try (stranger; TcpSide server = TcpSide.listening(AMPLE))
        {
            context = server.context;
            stranger.connect(new InetSocketAddress("127.0.0.1", context.port()));
            final Progress progress = context.progress();
            final long endNs = System.nanoTime() + HANG_GUARD_NS;
            while (CompletableFuture.supplyAsync(progress::timedCount, progress::execute).join() == 0)
            {
                assertTrue(System.nanoTime() - endNs < 0, "the connection is not accepted");
            }
        }
        final Map<String, Long> faults = context.counters().faults();
        assertTrue(faults.values().stream().allMatch((count) -> count == 0), faults::toString);
    }

    @Test
    void shouldSayHowTheConnectionWasLostWhenTheDevicesThreadHasEnded()
    {
        try (TcpSide server = TcpSide.listening(AMPLE); TcpSide client = TcpSide.connecting(AMPLE))
        {
            client.connect(server);
            client.context.progress().execute(() ->
            {
                Thread.currentThread().setUncaughtExceptionHandler((thread, cause) -> { });
                throw new OutOfMemoryError("thrown by a test");
            });
            assertEquals(AsyncEvent.Type.DEVICE_FATAL, client.event().type());
            client.read(1, server);
            assertEquals(CompletionStatus.RETRY_EXC_ERR, client.next(1));
            assertEquals("connection lost, ClosedChannelException: peer=unknown", client.queuePair.failureReason());
        }
    }
}
