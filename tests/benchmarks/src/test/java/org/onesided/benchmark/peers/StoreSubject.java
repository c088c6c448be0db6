package org.onesided.benchmark.peers;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.StoreSession;
import org.onesided.client.types.ClientStatistics;
import org.onesided.client.types.ShardStatistics;
import org.onesided.client.types.ValueConsumer;
import org.onesided.client.types.Waiting;
import org.onesided.peers.Arguments;
import org.onesided.peers.Crowd;
import org.onesided.peers.Draw;
import org.onesided.peers.Records;
import org.onesided.peers.Subject;
import org.onesided.peers.Worker;
import org.onesided.protocol.table.BucketDescriptor;

/**
 * onesided: a session with a server on this host.
 */
final class StoreSubject implements Subject
{
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    /** Bytes of values that are put together while records are loaded. */
    private static final int LOAD_BYTES = 100_000;
    private static final int LOOKUPS_PER_MISS = 10;

    /** What a put is. */
    private enum Write
    {
        PUT, PUT_IF_PRESENT, INCREMENT
    }

    private final StoreClient client;
    private final StoreSession session;
    private final Write write;
    private final UnsafeBuffer key = buffer(Records.KEY_LENGTH);
    private final ValueConsumer consumer = (index, bytes) -> add(bytes);
    private UnsafeBuffer value;
    private UnsafeBuffer found;
    private List<byte[]> keys = List.of();
    private long sum;

    private StoreSubject(final Arguments arguments)
    {
        client = StoreClient.builder()
            .server(arguments.text("server"))
            .device(arguments.text("device", "shm"))
            .deadline(DEADLINE)
            .mirrorBytes(arguments.number("mirror", StoreClientBuilder.DEFAULT_MIRROR_BYTES))
            .waiting(waiting(arguments.text("waiting", "default")))
            .build();
        session = client.openSession();
        write = Write.valueOf(arguments.text("write", Write.PUT.name()));
        // The values of records are no numbers: counters have keys of their own.
        final long firstKeyWord = write == Write.INCREMENT ? ~Records.firstKeyWord() : Records.firstKeyWord();
        key.putLong(0, firstKeyWord, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Serves as a worker.
     *
     * @param arguments {@code server=}, {@code device=}, {@code waiting=default|spinning|sleeping},
     *                  {@code mirror=} bytes, {@code write=PUT|PUT_IF_PRESENT|INCREMENT} for what a put is.
     * @throws Exception if the worker fails.
     */
    public static void main(final String[] arguments) throws Exception
    {
        Worker.serve(() -> new StoreSubject(new Arguments(arguments)));
    }

    private static Waiting waiting(final String name)
    {
        return switch (name)
        {
            case "default" -> Waiting.DEFAULT;
            case "spinning" -> Waiting.SPINNING;
            case "sleeping" -> Waiting.SLEEPING;
            default -> throw new IllegalArgumentException("no such way of waiting: waiting=" + name);
        };
    }

    private static UnsafeBuffer buffer(final int length)
    {
        return new UnsafeBuffer(ByteBuffer.allocateDirect(length));
    }

    @Override
    public void load(final long count, final int valueLength)
    {
        use(valueLength);
        final int together = (int)Math.max(1, Math.min(count, LOAD_BYTES / valueLength));
        final byte[] template = Records.template(valueLength);
        final List<byte[]> values = Stream.generate(template::clone).limit(together).toList();
        keys = newKeys(together);
        for (long i = 0; i < count; i += together)
        {
            final int some = (int)Math.min(together, count - i);
            for (int j = 0; j < some; j++)
            {
                Records.key(i + j, keys.get(j));
                Records.value(i + j, values.get(j));
            }
            session.putAll(keys.subList(0, some), values.subList(0, some));
        }
        session.warmUp();
    }

    private static List<byte[]> newKeys(final int count)
    {
        return Stream.generate(() -> new byte[Records.KEY_LENGTH]).limit(count).toList();
    }

    @Override
    public Map<String, Object> attach(final long count, final int valueLength)
    {
        use(valueLength);
        return Map.of("buckets", session.warmUp());
    }

    private void use(final int valueLength)
    {
        value = buffer(valueLength);
        value.putBytes(0, Records.template(valueLength));
        found = buffer(valueLength);
    }

    @Override
    public long get(final long number)
    {
        key.putLong(Long.BYTES, Records.lastKeyWord(number), ByteOrder.LITTLE_ENDIAN);
        return session.get(key, 0, Records.KEY_LENGTH, found, 0) < 0 ? Records.ABSENT : firstWord(found);
    }

    private static long firstWord(final DirectBuffer buffer)
    {
        return buffer.getLong(0, ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public long getAll(final long[] numbers)
    {
        if (keys.size() != numbers.length)
        {
            keys = newKeys(numbers.length);
        }
        for (int i = 0; i < numbers.length; i++)
        {
            Records.key(numbers[i], keys.get(i));
        }
        sum = 0;
        session.getAll(keys, consumer);
        return sum;
    }

    private void add(final DirectBuffer bytes)
    {
        sum += bytes == null ? Records.ABSENT : firstWord(bytes);
    }

    @Override
    public void put(final long number)
    {
        key.putLong(Long.BYTES, Records.lastKeyWord(number), ByteOrder.LITTLE_ENDIAN);
        if (write == Write.INCREMENT)
        {
            session.increment(key, 0, Records.KEY_LENGTH, 1, 0);
            return;
        }
        value.putLong(0, Records.firstValueWord(number), ByteOrder.LITTLE_ENDIAN);
        if (write == Write.PUT)
        {
            session.put(key, 0, Records.KEY_LENGTH, value, 0, value.capacity());
        }
        else if (!session.putIfPresent(key, 0, Records.KEY_LENGTH, value, 0, value.capacity()).applied())
        {
            throw new IllegalStateException("a record is missing: number=" + number);
        }
    }

    @Override
    public Map<String, Object> command(final String name, final Arguments arguments) throws Exception
    {
        return switch (name)
        {
            case "crowd" -> Crowd.run(arguments, this::lookup);
            case "lookups" -> lookups(arguments);
            case "mix" -> mix(arguments);
            case "memory" -> memory();
            default -> throw new IllegalArgumentException("no such command: command=" + name);
        };
    }

    /** All threads share the client. */
    private Crowd.Lookup lookup()
    {
        final UnsafeBuffer ownKey = buffer(Records.KEY_LENGTH);
        ownKey.putLong(0, Records.firstKeyWord(), ByteOrder.LITTLE_ENDIAN);
        final UnsafeBuffer ownFound = buffer(value.capacity());
        return (number) ->
        {
            ownKey.putLong(Long.BYTES, Records.lastKeyWord(number), ByteOrder.LITTLE_ENDIAN);
            return client.get(ownKey, 0, Records.KEY_LENGTH, ownFound, 0) < 0 ? Records.ABSENT : firstWord(ownFound);
        };
    }

    /** Lookups, each tenth of a key that is absent. */
    private Map<String, Object> lookups(final Arguments arguments)
    {
        final long count = arguments.number("count");
        final Draw draw = Draw.uniform(count, arguments.number("seed"));
        final ClientStatistics before = session.clientStatistics();
        for (long i = arguments.number("operations"); i > 0; i--)
        {
            final long number = draw.next();
            if (i % LOOKUPS_PER_MISS == 0)
            {
                check(number + count, Records.ABSENT);
            }
            else
            {
                check(number, Records.firstValueWord(number));
            }
        }
        return reads(before);
    }

    /** What YCSB calls workload A: as many updates as lookups, few records much more often than the others. */
    private Map<String, Object> mix(final Arguments arguments)
    {
        final long count = arguments.number("count");
        final Draw draw = Draw.zipfian(count, arguments.number("seed"));
        final Draw coin = Draw.uniform(2, ~arguments.number("seed"));
        final ClientStatistics before = session.clientStatistics();
        for (long i = arguments.number("operations"); i > 0; i--)
        {
            final long number = draw.next();
            if (coin.next() == 0)
            {
                check(number, Records.firstValueWord(number));
            }
            else
            {
                put(number);
            }
        }
        return reads(before);
    }

    private void check(final long number, final long firstWord)
    {
        if (get(number) != firstWord)
        {
            throw new IllegalStateException("another value than was put: number=" + number);
        }
    }

    private Map<String, Object> reads(final ClientStatistics before)
    {
        final ClientStatistics after = session.clientStatistics();
        return Map.of(
            "gets", after.gets() - before.gets(),
            "misses", after.misses() - before.misses(),
            "reads", after.reads() - before.reads(),
            "puts", after.puts() - before.puts());
    }

    private Map<String, Object> memory()
    {
        long records = 0;
        long index = 0;
        long heap = 0;
        long used = 0;
        for (final ShardStatistics shard : session.statistics())
        {
            records += shard.records();
            index += (shard.buckets() + shard.overflowBucketsUsed()) * BucketDescriptor.LENGTH;
            heap += shard.heapBytes();
            used += shard.heapBytesUsed();
        }
        return Map.of(
            "records", records, "index", index, "heap", heap, "used", used, "huge", session.server().hugePages());
    }

    @Override
    public void close()
    {
        session.close();
        client.close();
    }
}
