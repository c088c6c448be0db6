package org.onesided.benchmark.peers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.onesided.client.StoreClient;
import org.onesided.testing.ServerProcess;

/**
 * A server of this project that evicts, and a client.
 */
final class ReplayedStore implements ReplayedCache
{
    private final ServerProcess server;
    private final StoreClient client;
    private final byte[] bytes;

    /**
     * @param device  of both.
     * @param memory  of the server in bytes.
     * @param longest value in bytes.
     */
    ReplayedStore(final String device, final long memory, final int longest) throws IOException
    {
        bytes = new byte[longest];
        server = ServerProcess.start(
            "--device", device, "--memory", Long.toString(memory), "--shards", "1", "--evict", "density");
        client = StoreClient.builder().server(server.address()).device(device).build();
    }

    @Override
    public boolean get(final String key)
    {
        return client.get(key.getBytes(StandardCharsets.US_ASCII)) != null;
    }

    @Override
    public void put(final String key, final int length)
    {
        final byte[] value = length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
        client.put(key.getBytes(StandardCharsets.US_ASCII), value);
    }

    @Override
    public void close() throws IOException
    {
        client.close();
        server.close();
    }
}
