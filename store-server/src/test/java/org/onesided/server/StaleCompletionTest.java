package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Devices;

/**
 * Completions of queue pairs that are gone, whose numbers come again, and completions that make no sense.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StaleCompletionTest
{
    private static final long RECEIVE = 1L << 62;
    private static final int TAG_SHIFT = 40;
    /** Of the first connection of a shard. */
    private static final long TAG = 1L << TAG_SHIFT;
    private static final long OTHER_TAG = 2L << TAG_SHIFT;

    private final FailingDevice device = new FailingDevice(Devices.find("shm"), Integer.MAX_VALUE);
    private final StoreServer server = StoreServer.start(
        new ServerOptions().listenPort(0).memory(16 << 20).shards(1).spinNs(Long.MAX_VALUE).verbsDevice(device));

    @AfterEach
    void close()
    {
        server.close();
        assertEquals(0, device.openCount());
    }

    @ParameterizedTest
    @ValueSource(ints = {CompletionStatus.SUCCESS, CompletionStatus.WR_FLUSH_ERR, CompletionStatus.REM_ACCESS_ERR})
    void shouldIgnoreWhatADestroyedQueuePairLeftBehind(final int status) throws IOException
    {
        try (TestClient client = TestClient.connected(server))
        {
            assertEquals(Status.OK, client.put("key", new byte[]{1}).status());
            for (final long id : new long[]{0, -1, OTHER_TAG, OTHER_TAG | RECEIVE, OTHER_TAG | RECEIVE | 3})
            {
                forge(id, status, device.lastQueuePair());
                forge(TAG | RECEIVE, status, device.lastQueuePair() + 1);
            }
            assertEquals(Status.OK, client.put("key", new byte[]{2}).status());
            assertArrayEquals(new byte[]{2}, client.lookUp("key"));
            assertEquals(1, server.sessionCount());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {TAG | RECEIVE | 9999, TAG | RECEIVE | 0xFF_FFFF_FFFFL, TAG | 77, TAG | 0xFF_FFFF_FFFFL})
    void shouldEndASessionWhoseCompletionHasNoRequest(final long id) throws IOException
    {
        try (TestClient client = TestClient.connected(server))
        {
            assertEquals(Status.OK, client.put("key", new byte[]{1}).status());
            forge(id, CompletionStatus.SUCCESS, device.lastQueuePair());
            final String goodbye = client.bootstrap().goodbye();
            assertTrue(goodbye.contains("wr_id=0x" + Long.toHexString(id)), goodbye);
        }
        try (TestClient other = TestClient.connected(server))
        {
            assertEquals(Status.OK, other.put("key", new byte[]{2}).status());
        }
    }

    @Test
    void shouldTellStatusVendorCodeAndIdOfAFailure() throws IOException
    {
        try (TestClient client = TestClient.connected(server))
        {
            assertEquals(Status.OK, client.put("key", new byte[]{1}).status());
            forge(TAG | RECEIVE | 1, CompletionStatus.LOC_PROT_ERR, device.lastQueuePair());
            final String goodbye = client.bootstrap().goodbye();
            for (final String part : new String[]{"LOC_PROT_ERR", "vendor_err=0x0", "qp_num=" + device.lastQueuePair(),
                "wr_id=0x" + Long.toHexString(TAG | RECEIVE | 1)})
            {
                assertTrue(goodbye.contains(part), goodbye);
            }
        }
    }

    private void forge(final long id, final int status, final int queuePair)
    {
        device.forgeCompletion(id, status, queuePair);
        while (!device.areForgedPolled())
        {
            Thread.onSpinWait();
        }
    }
}
