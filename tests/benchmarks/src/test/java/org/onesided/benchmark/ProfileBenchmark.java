package org.onesided.benchmark;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import jdk.jfr.Recording;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.types.Waiting;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;

/**
 * Where the time of lookups and changes goes, by the flight recorder's samples: prints the tables of docs/profile.md.
 * Server and client are threads of this process, so that both are seen. Arguments: device, records.
 */
final class ProfileBenchmark
{
    private static final int KEY_LENGTH = 16;
    private static final int VALUE_LENGTH = 100;
    private static final int GROUP = 64;
    private static final int IMPORTED = 1000;
    private static final int RECORD_LENGTH = 220;
    private static final long WARM_UP_NS = 4_000_000_000L;
    private static final long MEASURED_NS = 15_000_000_000L;
    private static final Duration PERIOD = Duration.ofMillis(10);
    private static final String CLIENT_THREAD = "main";
    private static final String SHARD_THREAD = "store-shard";

    private final SplittableRandom random = new SplittableRandom(1);
    private final UnsafeBuffer key = new UnsafeBuffer(ByteBuffer.allocateDirect(KEY_LENGTH));
    private final UnsafeBuffer value = new UnsafeBuffer(ByteBuffer.allocateDirect(VALUE_LENGTH));
    private final List<byte[]> keys = new ArrayList<>();
    private final List<byte[]> values = new ArrayList<>();
    private final int records;

    private ProfileBenchmark(final int records)
    {
        this.records = records;
    }

    public static void main(final String[] arguments) throws IOException
    {
        final String device = arguments[0];
        final int records = Integer.parseInt(arguments[1]);
        final ServerOptions options = new ServerOptions().listenPort(0).device(device).shards(1)
            .memory(Math.max(64L << 20, (long)records * RECORD_LENGTH)).spinNs(Long.MAX_VALUE);
        try (StoreServer server = StoreServer.start(options);
            StoreClient client = StoreClient.builder().server("127.0.0.1:" + server.address().getPort())
                .device(device).waiting(Waiting.SPINNING).build();
            StoreSession session = client.openSession())
        {
            new ProfileBenchmark(records).run(session);
        }
    }

    private void run(final StoreSession session) throws IOException
    {
        for (int i = 0; i < IMPORTED; i++)
        {
            keys.add(new byte[KEY_LENGTH]);
            values.add(new byte[VALUE_LENGTH]);
        }
        for (int done = 0; done < records; done += IMPORTED)
        {
            for (int i = 0; i < IMPORTED; i++)
            {
                keys.set(i, key(done + i));
            }
            session.putAll(keys, values);
        }
        session.warmUp();

        final Map<String, Runnable> operations = new LinkedHashMap<>();
        operations.put("GET", () ->
        {
            key.putBytes(0, key(random.nextInt(records)));
            if (session.get(key, 0, KEY_LENGTH, value, 0) != VALUE_LENGTH)
            {
                throw new IllegalStateException("a record is missing");
            }
        });
        final List<byte[]> group = keys.subList(0, GROUP);
        operations.put("getAll of " + GROUP, () ->
        {
            drawKeys(GROUP);
            session.getAll(group, (index, found) -> value.putByte(0, found.getByte(0)));
        });
        operations.put("PUT", () ->
        {
            key.putBytes(0, key(random.nextInt(records)));
            session.put(key, 0, KEY_LENGTH, value, 0, VALUE_LENGTH);
        });
        operations.put("putAll of " + IMPORTED, () ->
        {
            drawKeys(IMPORTED);
            session.putAll(keys, values);
        });
        for (final Map.Entry<String, Runnable> operation : operations.entrySet())
        {
            profile(operation.getKey(), operation.getValue());
        }
    }

    private void profile(final String name, final Runnable operation) throws IOException
    {
        repeat(operation, WARM_UP_NS);
        final Path file = Files.createTempFile("onesided-profile", ".jfr");
        try (Recording recording = new Recording())
        {
            recording.enable(SampledParts.EVENT).withPeriod(PERIOD);
            recording.start();
            final long count = repeat(operation, MEASURED_NS);
            recording.stop();
            recording.dump(file);
            System.out.printf("%n### %s, %d ns each%n", name, MEASURED_NS / count);
            print("caller's thread", SampledParts.of(file, CLIENT_THREAD));
            final SampledParts shard = SampledParts.of(file, SHARD_THREAD);
            if (name.startsWith("put") || name.startsWith("PUT"))
            {
                print("shard's thread", shard);
            }
        }
        finally
        {
            Files.delete(file);
        }
    }

    private static long repeat(final Runnable operation, final long durationNs)
    {
        final long beginNs = System.nanoTime();
        long count = 0;
        while (System.nanoTime() - beginNs < durationNs)
        {
            for (int i = 0; i < GROUP; i++)
            {
                operation.run();
            }
            count += GROUP;
        }
        return count;
    }

    private static void print(final String thread, final SampledParts parts)
    {
        System.out.printf("%n| %s, %d samples | share |%n|---|---|%n", thread, parts.total());
        parts.lines().forEach(System.out::println);
    }

    private void drawKeys(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            keys.set(i, key(random.nextInt(records)));
        }
    }

    private static byte[] key(final int number)
    {
        final byte[] bytes = new byte[KEY_LENGTH];
        int rest = number;
        for (int i = KEY_LENGTH - 1; i >= 0; i--)
        {
            bytes[i] = (byte)('0' + rest % 10);
            rest /= 10;
        }
        return bytes;
    }
}
