package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.protocol.rpc.BatchMessages;
import org.onesided.server.data.DataOptions;

/** Who is offered to send several puts in a message; {@link ClusterMembersTest} asks members of a cluster. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BatchOfferTest
{
    private static final int[] LENGTHS = {1, 2};

    @TempDir
    private Path directory;

    private static ServerOptions options()
    {
        return new ServerOptions().listenPort(0).memory(64 << 20).shards(1).device("shm");
    }

    private static void send(final TestClient client) throws IOException
    {
        client.send(0, BatchMessages.encode(client.outgoing(), client.nextId(0), LENGTHS, "first", "second"));
    }

    @Test
    void shouldOfferBatchesWithoutALog() throws IOException
    {
        try (StoreServer server = StoreServer.start(options());
            TestClient client = TestClient.connected(server))
        {
            assertTrue(client.bootstrap().isOfferedBatches());
            send(client);
            client.answer();
            assertEquals(1, client.lookUp("first").length);
            assertEquals(2, client.lookUp("second").length);
        }
    }

    @Test
    void shouldOfferNoneWithALogAndSaySoToWhoSendsOne() throws IOException
    {
        try (StoreServer server = StoreServer.start(options().data(DataOptions.in(directory.resolve("data"))));
            TestClient client = TestClient.connected(server);
            TestClient bystander = TestClient.connected(server))
        {
            assertFalse(client.bootstrap().isOfferedBatches());
            send(client);
            final String goodbye = client.bootstrap().goodbye();
            assertTrue(goodbye.contains("batch to a server with a log"), goodbye);
            assertNull(bystander.lookUp("first"));
        }
    }
}
