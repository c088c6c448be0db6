package org.onesided.endtoend;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreClientBuilder;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;
import org.onesided.testing.LoggedErrors;

/**
 * A server of this process on a free port, and what tests ask of it. Where this process has logged an error meanwhile,
 * closing it fails.
 */
final class TestStore implements AutoCloseable
{
    /**
     * Of a few hundred keys in a small index, two are in one chain and share a fingerprint once in some hundred runs. A
     * lookup of the one that is behind the other takes so many READs more, at most.
     */
    static final int READS_OF_A_COLLISION = 3;

    private static final long DEFAULT_MEMORY = 64L << 20;

    private final LoggedErrors errors = LoggedErrors.begin();
    private StoreServer server;
    private final String device;

    TestStore()
    {
        this(options());
    }

    /** On a device of this kind. */
    TestStore(final String kind)
    {
        this(options().device(kind.equals("tcp") ? "tcp:127.0.0.1:0" : kind));
    }

    TestStore(final ServerOptions options)
    {
        device = options.device();
        server = StoreServer.start(options);
    }

    static ServerOptions options()
    {
        return new ServerOptions()
            .listenHost("127.0.0.1")
            .listenPort(0)
            .memory(DEFAULT_MEMORY)
            .shards(2)
            .device("shm");
    }

    StoreServer server()
    {
        return server;
    }

    String address()
    {
        return "127.0.0.1:" + server.address().getPort();
    }

    /** With a deadline that only a hang meets. */
    StoreClientBuilder clientBuilder()
    {
        return StoreClient.builder().server(address()).device(device.split(":")[0]).deadline(Duration.ofSeconds(20));
    }

    StoreClient client()
    {
        return clientBuilder().build();
    }

    /** Another life of the server on the same port. */
    void restart()
    {
        final int port = server.address().getPort();
        server.close();
        server = StoreServer.start(options().device(device).listenPort(port));
    }

    static byte[] bytes(final String text)
    {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] randomBytes(final int length, final long seed)
    {
        final byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    @Override
    public void close()
    {
        server.close();
        errors.check();
    }
}
