package org.onesided.benchmark.peers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.types.ShardStatistics;
import org.onesided.testing.ServerProcess;

/**
 * A server of one shard over shared memory, on disk or not, and sessions with it in this process. For one thread; each
 * call that it hands out is for one thread of its own.
 */
final class MeasuredStore implements AutoCloseable
{
    static final int KEY_LENGTH = 16;
    static final int VALUE_LENGTH = 100;
    private static final int LOADED_AT_ONCE = 1000;
    /** Longer than any run: the store writes a snapshot only if it is asked to. */
    private static final String NO_SNAPSHOTS = "64g";
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final long SNAPSHOT_LOOK_MILLIS = 5;
    private static final long SNAPSHOT_NS = 120_000_000_000L;

    private final ServerProcess server;
    private final StoreClient client;
    private final List<StoreSession> sessions = new ArrayList<>();
    private final long records;

    private MeasuredStore(final ServerProcess server, final StoreClient client, final long records)
    {
        this.server = server;
        this.client = client;
        this.records = records;
    }

    /**
     * @param data    its directory, or null for a store in memory only.
     * @param sync    mode of a store on disk.
     * @param records that there is ample room for.
     */
    static ServerProcess server(final Lab lab, final Path data, final String sync, final long records)
        throws IOException
    {
        return data == null ? Systems.server(lab, 2 * records, VALUE_LENGTH) :
            Systems.server(lab, 2 * records, VALUE_LENGTH, "--data", data.toString(), "--sync", sync,
                "--snapshot-log", NO_SNAPSHOTS);
    }

    static MeasuredStore start(final Lab lab, final Path data, final String sync, final long records)
        throws IOException
    {
        final ServerProcess server = server(lab, data, sync, records);
        return lab.add(new MeasuredStore(server, StoreClient.builder()
            .server(server.address()).device("shm").deadline(DEADLINE).build(), records));
    }

    /** Puts all records. */
    void load()
    {
        final StoreSession session = session(0);
        final List<byte[]> keys = new ArrayList<>();
        for (long i = 0; i < records; i++)
        {
            keys.add(key(i));
            if (keys.size() == LOADED_AT_ONCE || i == records - 1)
            {
                session.putAll(keys, Collections.nCopies(keys.size(), value(i)));
                keys.clear();
            }
        }
    }

    /** Calls that put random records anew, one after the other or many at once. */
    List<Crowd.Call> puts(final int threads, final int batch)
    {
        final List<Crowd.Call> calls = new ArrayList<>();
        for (int i = 0; i < threads; i++)
        {
            final SplittableRandom random = new SplittableRandom(System.nanoTime() + i);
            final StoreSession session = session(i);
            calls.add(batch == 1 ? () -> put(session, random) : () -> putAll(session, random, batch));
        }
        return calls;
    }

    /** A call that gets a random record in a session of its own. */
    Crowd.Call get(final int sessionNumber)
    {
        final SplittableRandom random = new SplittableRandom(System.nanoTime());
        final StoreSession session = session(sessionNumber);
        final UnsafeBuffer key = new UnsafeBuffer(new byte[KEY_LENGTH]);
        final UnsafeBuffer value = new UnsafeBuffer(new byte[VALUE_LENGTH]);
        return () ->
        {
            key.wrap(key(random.nextLong(records)));
            if (session.get(key, 0, KEY_LENGTH, value, 0) != VALUE_LENGTH)
            {
                throw new IOException("a record is missing");
            }
        };
    }

    private void put(final StoreSession session, final SplittableRandom random)
    {
        session.put(key(random.nextLong(records)), value(random.nextLong()));
    }

    private void putAll(final StoreSession session, final SplittableRandom random, final int batch)
    {
        final List<byte[]> keys = new ArrayList<>(batch);
        for (int i = 0; i < batch; i++)
        {
            keys.add(key(random.nextLong(records)));
        }
        session.putAll(keys, Collections.nCopies(batch, value(random.nextLong())));
    }

    /** Has a snapshot written and waits until it is on the disk. */
    void snapshot() throws IOException
    {
        final ShardStatistics before = client.snapshot().get(0);
        final long endNs = System.nanoTime() + SNAPSHOT_NS;
        ShardStatistics now = before;
        while (now.storage().snapshotIndex() < before.storage().appliedIndex())
        {
            if (now.storage().snapshotFailures() > before.storage().snapshotFailures())
            {
                throw new IOException("the snapshot failed");
            }
            if (System.nanoTime() - endNs > 0)
            {
                throw new IOException("the snapshot does not end: percent=" + now.storage().snapshotPercent());
            }
            Crowd.pause(SNAPSHOT_LOOK_MILLIS);
            now = client.statistics().get(0);
        }
    }

    private StoreSession session(final int number)
    {
        while (sessions.size() <= number)
        {
            sessions.add(client.openSession());
        }
        return sessions.get(number);
    }

    private static byte[] key(final long number)
    {
        return ByteBuffer.allocate(KEY_LENGTH).putLong(number).array();
    }

    private static byte[] value(final long content)
    {
        return ByteBuffer.allocate(VALUE_LENGTH).putLong(content).array();
    }

    /** Also stops the server. */
    @Override
    public void close() throws IOException
    {
        sessions.forEach(StoreSession::close);
        sessions.clear();
        client.close();
        server.close();
    }
}
