package org.onesided.powercut;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.onesided.client.StoreClient;
import org.onesided.client.types.Waiting;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;
import org.onesided.server.data.DataOptions;
import org.onesided.server.log.SyncMode;

/**
 * A server within this process, which is in the virtual machine, and a client of it.
 */
final class GuestServer implements AutoCloseable
{
    static final int SHARDS = 2;
    static final int WRITERS = 4;

    private static final long MEMORY = 48L << 20;
    private static final long MEMORY_INITIAL = 1 << 10;
    /** Here, memory may take long to come. */
    private static final long ROOM_WAIT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final Duration DEADLINE = Duration.ofSeconds(40);

    private final StoreServer server;
    private final StoreClient client;

    /**
     * Starts it.
     *
     * @param data   its directory.
     * @param isLeft whether the end of a damaged log is dropped.
     * @throws org.onesided.server.ServerException if it cannot start with that directory.
     */
    GuestServer(final Path data, final boolean isLeft)
    {
        server = StoreServer.start(new ServerOptions().listenHost("127.0.0.1").listenPort(0).device("shm")
            .memory(MEMORY).memoryInitial(MEMORY_INITIAL).shards(SHARDS).spinNs(0)
            .roomWaitNs(ROOM_WAIT_NS)
            .data(DataOptions.in(data).sync(SyncMode.ALWAYS).snapshotLog(DataOptions.MIN_SNAPSHOT_LOG)
                .discardTail(isLeft)));
        client = StoreClient.builder().server(address()).device("shm").deadline(DEADLINE)
            .maxSessions(WRITERS + 2).waiting(Waiting.SLEEPING).build();
    }

    String address()
    {
        return "127.0.0.1:" + server.address().getPort();
    }

    StoreClient client()
    {
        return client;
    }

    @Override
    public void close()
    {
        client.close();
        server.close();
    }
}
