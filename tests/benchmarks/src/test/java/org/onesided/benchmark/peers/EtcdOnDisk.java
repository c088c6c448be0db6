package org.onesided.benchmark.peers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A single member of etcd, asked over its JSON gateway on connections that stay open. Its own clients speak gRPC, which
 * takes less of the processor; the disk takes the same.
 */
final class EtcdOnDisk
{
    private static final int OK = 200;
    private static final int TIMEOUT_MILLIS = 20_000;

    private final URL url;
    private final long records;

    private EtcdOnDisk(final URL url, final long records)
    {
        this.url = url;
        this.records = records;
    }

    static EtcdOnDisk start(final Lab lab, final Path directory, final long records, final String program)
        throws IOException
    {
        final PeerServer server = lab.add(PeerServer.etcd(program, directory));
        final EtcdOnDisk etcd =
            new EtcdOnDisk(URI.create("http://127.0.0.1:" + server.port() + "/v3/kv/put").toURL(), records);
        etcd.measure(1, 1);
        return etcd;
    }

    Turn measure(final int clients, final long millis) throws IOException
    {
        final List<Crowd.Call> calls = new ArrayList<>();
        for (int i = 0; i < clients; i++)
        {
            final SplittableRandom random = new SplittableRandom(System.nanoTime() + i);
            calls.add(() -> put(random));
        }
        return Crowd.run(calls, 1, millis);
    }

    private void put(final SplittableRandom random) throws IOException
    {
        final String body = "{\"key\":\"" + base64(MeasuredStore.KEY_LENGTH, random.nextLong(records)) +
            "\",\"value\":\"" + base64(MeasuredStore.VALUE_LENGTH, random.nextLong()) + "\"}";
        final HttpURLConnection connection = (HttpURLConnection)url.openConnection();
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        connection.setDoOutput(true);
        try (OutputStream out = connection.getOutputStream())
        {
            out.write(body.getBytes(StandardCharsets.US_ASCII));
        }
        if (connection.getResponseCode() != OK)
        {
            throw new IOException("etcd refuses a put: status=" + connection.getResponseCode());
        }
        // The connection stays open once its answer was read.
        try (InputStream in = connection.getInputStream())
        {
            in.readAllBytes();
        }
    }

    private static String base64(final int length, final long content)
    {
        return Base64.getEncoder().encodeToString(ByteBuffer.allocate(length).putLong(content).array());
    }
}
