package org.onesided.endtoend.kvctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.StoreClient;
import org.onesided.testing.HangGuard;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.SendRequests;

/**
 * A client that asks a server's device {@code tcp} for what it must not: the server's log says who it was, and what.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KvctlHostilePeerTest
{
    private static final int NO_KEY = 0x0BAD_0BAD;

    @Test
    void shouldTellWhoDidWhatInOneLine() throws Exception
    {
        try (KvctlServer server = KvctlServer.start("--device", "tcp:127.0.0.1:0", "--shards", "1");
            StoreClient client = StoreClient.builder().server(server.address()).device("captured")
                .deadline(Duration.ofSeconds(HangGuard.seconds(120))).build())
        {
            client.put("key", "value");
            final List<QueuePair> queuePairs = List.copyOf(CapturedDevice.QUEUE_PAIRS);
            assertEquals(1, queuePairs.size());
            writeTo(queuePairs.get(0), NO_KEY);

            final String line = "WARN queue pair ended for what its peer sent, key to be written to is none: " +
                "peer=127\\.0\\.0\\.1:[0-9]+ qp_num=[0-9]+";
            final long endNs = System.nanoTime() + HangGuard.nanos(240);
            while (!server.log().contains("queue pair ended for"))
            {
                assertTrue(System.nanoTime() - endNs < 0, server::log);
                TimeUnit.MILLISECONDS.sleep(10);
            }
            ping(server);
            while (!server.log().contains("connection to a device failed"))
            {
                assertTrue(System.nanoTime() - endNs < 0, server::log);
                TimeUnit.MILLISECONDS.sleep(10);
            }
            assertTrue(server.log().contains("WARN connection to a device failed, the peer sent no MPA " +
                "request: peer=127.0.0.1:"), server::log);
            // The end of the session is told with the same reason and queue pair.
            while (server.log().lines().noneMatch((one) -> one.matches("[^ ]+ INFO session .+ reason=(queue pair " +
                "failed|peer's access to memory was refused), key to be written to is none: " +
                "peer=127\\.0\\.0\\.1:[0-9]+ .*qp_num=[0-9]+.*")))
            {
                assertTrue(System.nanoTime() - endNs < 0, server::log);
                TimeUnit.MILLISECONDS.sleep(10);
            }
            // The session comes back by itself.
            assertEquals("value", client.get("key"));
            assertEquals(1, server.log().lines().filter((one) -> one.matches("[^ ]+ " + line)).count(), server::log);
        }
        finally
        {
            CapturedDevice.QUEUE_PAIRS.clear();
        }
    }

    /** Sends another protocol's bytes to the device's port. */
    private static void ping(final KvctlServer server) throws IOException
    {
        final Matcher port = Pattern.compile("device=tcp:127\\.0\\.0\\.1:([0-9]+)").matcher(server.readyLine());
        assertTrue(port.find(), server.readyLine());
        try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(port.group(1))))
        {
            stranger.getOutputStream().write("*1\r\n$4\r\nPING\r\n*1\r\n$4\r\nPING\r\n".getBytes());
        }
    }

    private static void writeTo(final QueuePair queuePair, final int key)
    {
        try (NativeArray bytes = new NativeArray(Long.BYTES); SendRequests write = new SendRequests(1, 1))
        {
            write.at(0).begin(1, Opcode.RDMA_WRITE, SendFlags.SIGNALED | SendFlags.INLINE)
                .element(bytes.range().address(), Long.BYTES, 0).remote(0, key);
            assertEquals(0, write.post(queuePair, 1));
        }
    }
}
