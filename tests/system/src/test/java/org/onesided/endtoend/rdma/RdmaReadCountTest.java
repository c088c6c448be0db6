package org.onesided.endtoend.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.types.ClientStatistics;
import org.onesided.testing.HangGuard;
import org.onesided.testing.ServerProcess;
import org.onesided.verbs.Context;
import org.onesided.verbs.Devices;

/**
 * The READs that a client counts, and what the kernel's Soft-RoCE driver counts. It knows packets only: a READ of less
 * than an MTU is two of them, request and response, both sent by the one device that client and server share; lookups
 * send nothing else.
 */
@Tag("rdma")
@Tag("full")
class RdmaReadCountTest
{
    private static final String DEVICE = "ibv:rxe0";
    private static final int KEYS = 100;
    private static final int LOOKUPS = 1000;

    @Test
    void shouldSendTwoPacketsForEachReadThatIsCounted() throws Exception
    {
        try (ServerProcess server = ServerProcess.start("--memory", "64m", "--shards", "2", "--device", DEVICE);
            Context device = Devices.find(DEVICE).open();
            StoreClient client = StoreClient.builder()
                .server(server.address()).device(DEVICE).deadline(Duration.ofSeconds(HangGuard.seconds(20))).build();
            StoreSession session = client.openSession())
        {
            for (int i = 0; i < KEYS; i++)
            {
                session.put("key-" + i, "value-" + i);
            }
            // The first lookup of a record in a segment that is new to the session READs the segments' directory too.
            for (int i = 0; i < KEYS; i++)
            {
                assertEquals("value-" + i, session.get("key-" + i));
            }
            final Map<String, Long> before = settled(device);
            final ClientStatistics countedBefore = session.clientStatistics();
            for (int i = 0; i < LOOKUPS; i++)
            {
                // One of ten is a miss, which READs a bucket.
                final int number = i % (KEYS + KEYS / 9);
                assertEquals(number < KEYS ? "value-" + number : null, session.get("key-" + number));
            }
            final ClientStatistics counted = session.clientStatistics();
            final Map<String, Long> after = settled(device);
            final long reads = counted.reads() - countedBefore.reads();

            assertEquals(LOOKUPS, reads);
            final long packets = after.get("sent_pkts") - before.get("sent_pkts");
            final boolean isRepeated = !after.get("duplicate_request").equals(before.get("duplicate_request")) ||
                !after.get("completer_retry_err").equals(before.get("completer_retry_err"));
            // The driver sends a request again when it thinks that it was lost.
            assertTrue(isRepeated ? packets >= 2 * reads : packets == 2 * reads, "packets=" + packets + " " + after);
        }
    }

    /** The driver's counters as they are when nothing is sent any more: they are brought up to date now and then. */
    private static Map<String, Long> settled(final Context device) throws InterruptedException
    {
        Map<String, Long> last = Map.of();
        Map<String, Long> now = device.queryCounters(1);
        while (!now.equals(last))
        {
            Thread.sleep(200);
            last = now;
            now = device.queryCounters(1);
        }
        return now;
    }
}
