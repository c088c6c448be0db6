package org.onesided.benchmark.parts;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.types.ValueConsumer;
import org.onesided.client.types.Waiting;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;
import org.onesided.testing.ServerProcess;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A session's operations against a server: {@code process}, one of its own as in life, or {@code inside}, in this JVM,
 * so that the profiler {@code gc} counts what both sides allocate.
 */
public class StoreBenchmark extends PartBenchmark
{
    private static final int BATCH = 64;
    private static final int KEY_LENGTH = 16;
    private static final int BATCHES = 64;
    private static final long STEP = 0x9E37_79B9_7F4A_7C15L;

    @Param("process")
    private String server;
    @Param("shm")
    private String device;
    @Param("100000")
    private int records;
    @Param("100")
    private int valueLength;
    /** Spinning shows what an operation takes; {@code default} what it takes where nobody has changed anything. */
    @Param("spinning")
    private String waiting;

    private StoreServer inside;
    private ServerProcess process;
    private StoreClient client;
    private StoreSession session;
    private final UnsafeBuffer key = new UnsafeBuffer(new byte[KEY_LENGTH]);
    private final UnsafeBuffer value = new UnsafeBuffer(new byte[1 << 20]);
    private final List<List<byte[]>> batches = new ArrayList<>();
    private final List<byte[]> values = new ArrayList<>();
    private long next;
    private long bytes;
    private final ValueConsumer adder = (index, found) -> bytes += found.capacity();

    /**
     * @throws IOException if the server does not start.
     */
    @Setup(Level.Trial)
    public void begin() throws IOException
    {
        final String address = startServer();
        client = StoreClient.builder()
            .server(address)
            .device(device)
            .waiting(waiting.equals("spinning") ? Waiting.SPINNING : Waiting.DEFAULT)
            .build();
        session = client.openSession();
        for (int i = 0; i < records; i++)
        {
            key(i);
            session.put(key, 0, KEY_LENGTH, value, 0, valueLength);
        }
        for (int i = 0; i < BATCH; i++)
        {
            values.add(new byte[valueLength]);
        }
        for (int i = 0; i < BATCHES; i++)
        {
            final List<byte[]> batch = new ArrayList<>();
            for (int j = 0; j < BATCH; j++)
            {
                batch.add(text(random()).getBytes(StandardCharsets.US_ASCII));
            }
            batches.add(batch);
        }
    }

    private String startServer() throws IOException
    {
        final boolean isSpinning = waiting.equals("spinning");
        if (server.equals("process"))
        {
            final String[] arguments = isSpinning ?
                new String[] {"--device", device, "--memory", "512m", "--spin", "always"} :
                new String[] {"--device", device, "--memory", "512m"};
            process = ServerProcess.start(arguments);
            return process.address();
        }
        final ServerOptions options = new ServerOptions()
            .listenHost("127.0.0.1").listenPort(0).memory(512L << 20).device(device);
        inside = StoreServer.start(isSpinning ? options.spinNs(Long.MAX_VALUE) : options);
        return "127.0.0.1:" + inside.address().getPort();
    }

    /**
     * @throws IOException if the server does not end.
     */
    @TearDown(Level.Trial)
    public void end() throws IOException
    {
        session.close();
        client.close();
        if (inside != null)
        {
            inside.close();
        }
        if (process != null)
        {
            process.close();
        }
    }

    private static String text(final int number)
    {
        return String.format("key-%012d", number);
    }

    private int random()
    {
        next += STEP;
        return (int)((next >>> 33) * records >>> 31);
    }

    /** As {@link #text}, without allocating. */
    private void key(final int number)
    {
        key.putStringWithoutLengthAscii(0, "key-");
        key.putNaturalPaddedIntAscii(4, 12, number);
    }

    /**
     * @return length of the value.
     */
    @Benchmark
    public int get()
    {
        key(random());
        return session.get(key, 0, KEY_LENGTH, value, 0);
    }

    /**
     * @return whether there is such a key: never.
     */
    @Benchmark
    public boolean miss()
    {
        key(records + random());
        return session.contains(key, 0, KEY_LENGTH);
    }

    /** A value of the same length, so in place. */
    @Benchmark
    public void put()
    {
        key(random());
        session.put(key, 0, KEY_LENGTH, value, 0, valueLength);
    }

    /**
     * A key that comes and goes: each is one operation.
     *
     * @return whether it was there: always.
     */
    @Benchmark
    @OperationsPerInvocation(2)
    public boolean insertAndDelete()
    {
        key(records + random());
        session.put(key, 0, KEY_LENGTH, value, 0, valueLength);
        return session.delete(key, 0, KEY_LENGTH);
    }

    /**
     * Keys together; the time of one of them.
     *
     * @return bytes of values.
     */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long getAll()
    {
        session.getAll(batches.get((int)(next++ & BATCHES - 1)), adder);
        return bytes;
    }

    /** Pairs together; the time of one of them. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void putAll()
    {
        session.putAll(batches.get((int)(next++ & BATCHES - 1)), values);
    }
}
