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
import org.onesided.client.StoreSession;
import org.onesided.client.ValueConsumer;
import org.onesided.client.Waiting;
import org.onesided.peers.Arguments;
import org.onesided.peers.Records;
import org.onesided.peers.Subject;
import org.onesided.peers.Worker;

/**
 * onesided: a session with a server on this host.
 */
final class StoreSubject implements Subject
{
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final StoreClient client;
    private final StoreSession session;
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
            .waiting(waiting(arguments.text("waiting", "default")))
            .build();
        session = client.openSession();
        key.putLong(0, Records.firstKeyWord(), ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Serves as a worker.
     *
     * @param arguments {@code server=}, {@code device=}, {@code waiting=default|spinning|sleeping}.
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
        for (long i = 0; i < count; i++)
        {
            put(i);
        }
        session.warmUp();
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
            keys = Stream.generate(() -> new byte[Records.KEY_LENGTH]).limit(numbers.length).toList();
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
        value.putLong(0, Records.firstValueWord(number), ByteOrder.LITTLE_ENDIAN);
        session.put(key, 0, Records.KEY_LENGTH, value, 0, value.capacity());
    }

    @Override
    public Map<String, Object> command(final String name, final Arguments arguments)
    {
        return switch (name)
        {
            case "attach" ->
            {
                // Another worker has loaded the records.
                use((int)arguments.number("value"));
                session.warmUp();
                yield Map.of();
            }
            default -> throw new IllegalArgumentException("no such command: command=" + name);
        };
    }

    @Override
    public void close()
    {
        session.close();
        client.close();
    }
}
