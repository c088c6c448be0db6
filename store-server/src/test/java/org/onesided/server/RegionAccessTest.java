package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Opcode;

/** A client may READ the table's region, and nothing else of the server. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RegionAccessTest
{
    private static final int BUCKETS = 4096;

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp:127.0.0.1:0"})
    void shouldLetClientsReadTheRegionOnly(final String device) throws IOException
    {
        final ServerOptions options = new ServerOptions().listenPort(0).memory(16 << 20).device(device);
        try (StoreServer server = StoreServer.start(options); TestClient reader = TestClient.connected(server))
        {
            assertEquals(Status.OK, reader.put("key", new byte[]{7}).status());
            final byte[] before = reader.readBytes(BUCKETS, BUCKETS);
            assertRefused(server, Opcode.RDMA_WRITE, BUCKETS, Long.BYTES, 0);
            if (device.equals("shm"))
            {
                // The others' iWARP has none.
                assertRefused(server, Opcode.ATOMIC_CMP_AND_SWP, BUCKETS, Long.BYTES, 0);
                assertRefused(server, Opcode.ATOMIC_FETCH_AND_ADD, BUCKETS, Long.BYTES, 0);
            }
            // Beyond either end, where other memory of the server may be.
            assertRefused(server, Opcode.RDMA_READ, reader.superblock().regionLength() - Long.BYTES, 2 * Long.BYTES, 0);
            assertRefused(server, Opcode.RDMA_READ, -Long.BYTES, 2 * Long.BYTES, 0);
            assertRefused(server, Opcode.RDMA_READ, 0, Long.BYTES, 1 << 20);
            assertArrayEquals(before, reader.readBytes(BUCKETS, BUCKETS));
            assertArrayEquals(new byte[]{7}, reader.get("key").value());
        }
    }

    /** Each ends a session of its own. */
    private static void assertRefused(
        final StoreServer server, final int opcode, final long tableOffset, final int length, final int wrongKey)
        throws IOException
    {
        try (TestClient client = TestClient.connected(server))
        {
            assertEquals(
                CompletionStatus.name(CompletionStatus.REM_ACCESS_ERR),
                CompletionStatus.name(client.fail(opcode, tableOffset, length, wrongKey)));
        }
    }
}
