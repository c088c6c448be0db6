package org.onesided.linearizability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.linearizability.Operation.Fate;
import org.onesided.linearizability.Operation.Kind;
import org.onesided.testing.CuttingProxy;
import org.onesided.testing.HangGuard;
import org.onesided.testing.ServerProcess;
import org.onesided.testing.TestSize;

/**
 * Threads that share a client of one session over tcp, so that one thread carries most operations out for all, while
 * connections are cut: what they saw is linearizable.
 */
@Timeout(300)
class SharedClientTest
{
    private static final int THREADS = 12;
    private static final int KEYS = 6;
    private static final int OPERATIONS = TestSize.of(40_000, 2_000);
    private static final int CUT_MS = 300;
    /** Long enough that threads take turns for a while. */
    private static final int LONG = 20_000;
    private static final String JOINT = "onesided-joint ";

    private final long seed = System.nanoTime();
    private final Queue<Operation> history = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isJoint = new AtomicBoolean();

    /** What a thread does, with one form of the client's methods after the other. */
    private final class Worker extends Thread
    {
        private final StoreClient client;
        private final int number;
        private final Random random;
        private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[2 * LONG]);
        private int count;

        Worker(final StoreClient client, final int number)
        {
            super("sharing-" + number);
            this.client = client;
            this.number = number;
            random = new Random(seed + number);
        }

        @Override
        public void run()
        {
            try
            {
                for (int i = 0; i < OPERATIONS; i++)
                {
                    final int key = random.nextInt(KEYS);
                    final int draw = random.nextInt(10);
                    final Kind kind = draw < 5 ? Kind.GET : draw < 8 ? Kind.PUT : Kind.DELETE;
                    if (kind == Kind.PUT)
                    {
                        put(key);
                    }
                    else
                    {
                        ask(key, kind);
                    }
                }
            }
            catch (final RuntimeException | Error e)
            {
                failures.add(e);
            }
        }

        private void put(final int key)
        {
            final int length = random.nextInt(2000) == 0 ? LONG : Values.MIN_LENGTH + random.nextInt(2000);
            final long value = Values.number(number, length, ++count);
            Values.fill(buffer, value);
            final byte[] name = name(key);
            Fate fate = Fate.DONE;
            final long beginNs = System.nanoTime();
            try
            {
                switch (random.nextInt(3))
                {
                    case 0 -> client.put(name, bytes(length));
                    case 1 -> client.put(ByteBuffer.wrap(name), ByteBuffer.wrap(bytes(length)));
                    default -> client.put(new UnsafeBuffer(name), 0, name.length, buffer, 0, length);
                }
            }
            catch (final StoreException e)
            {
                fate = fate(e);
            }
            add(key, Kind.PUT, fate, value, beginNs);
        }

        private void ask(final int key, final Kind kind)
        {
            final byte[] name = name(key);
            Fate fate = Fate.DONE;
            long value = Operation.ANY;
            final long beginNs = System.nanoTime();
            try
            {
                if (kind == Kind.GET)
                {
                    final int length = get(name);
                    value = length < 0 ? Operation.ABSENT : Values.read(buffer, length);
                }
                else
                {
                    value = delete(name) ? Operation.PRESENT : Operation.ABSENT;
                }
            }
            catch (final StoreException e)
            {
                fate = fate(e);
                if (kind == Kind.GET)
                {
                    return;
                }
            }
            add(key, kind, fate, value, beginNs);
        }

        private int get(final byte[] name)
        {
            switch (random.nextInt(3))
            {
                case 0:
                    final byte[] found = client.get(name);
                    if (found != null)
                    {
                        buffer.putBytes(0, found);
                    }
                    return found == null ? -1 : found.length;
                case 1:
                    return client.get(ByteBuffer.wrap(name), ByteBuffer.wrap(buffer.byteArray()));
                default:
                    return client.get(new UnsafeBuffer(name), 0, name.length, buffer, 0);
            }
        }

        private boolean delete(final byte[] name)
        {
            return switch (random.nextInt(3))
            {
                case 0 -> client.delete(name);
                case 1 -> client.delete(ByteBuffer.wrap(name));
                default -> client.delete(new UnsafeBuffer(name), 0, name.length);
            };
        }

        private byte[] bytes(final int length)
        {
            final byte[] bytes = new byte[length];
            buffer.getBytes(0, bytes);
            return bytes;
        }

        private void add(final int key, final Kind kind, final Fate fate, final long value, final long beginNs)
        {
            history.add(new Operation(
                key, kind, fate, number, value, Operation.NO_VERSION, beginNs, System.nanoTime()));
        }
    }

    private static byte[] name(final int key)
    {
        return ("key-" + key).getBytes(StandardCharsets.US_ASCII);
    }

    private static Fate fate(final StoreException failure)
    {
        return failure.writeFate() == WriteFate.UNKNOWN ? Fate.UNKNOWN :
            failure.writeFate() == WriteFate.APPLIED ? Fate.DONE : Fate.NOT_APPLIED;
    }

    @Test
    void shouldBeLinearizable() throws Exception
    {
        int cuts = 0;
        try (ServerProcess server = ServerProcess.start("--device", "tcp", "--memory", "16m");
            CuttingProxy proxy = new CuttingProxy(port(server));
            StoreClient client = StoreClient.builder().server(proxy.address()).device("tcp").maxSessions(1)
                .deadline(Duration.ofNanos(HangGuard.nanos(30))).build())
        {
            final List<Worker> workers = IntStream.range(0, THREADS).mapToObj(i -> new Worker(client, i + 1)).toList();
            workers.forEach(Thread::start);
            while (workers.stream().anyMatch(Thread::isAlive))
            {
                Thread.sleep(CUT_MS);
                isJoint.compareAndSet(false, Thread.getAllStackTraces().keySet().stream()
                    .anyMatch(thread -> thread.getName().startsWith(JOINT)));
                cuts += proxy.cut();
            }
        }
        assertEquals(List.of(), List.copyOf(failures));
        assertTrue(isJoint.get(), "no operations were carried out together");
        assertTrue(cuts > 0, "nothing was cut");
        final List<Operation> all = new ArrayList<>(history);
        final List<String> violations = IntStream.range(0, KEYS)
            .mapToObj(key -> KeyChecker.check(
                all.stream().filter(operation -> operation.key() == key).toList(), ExpiryTimes.NONE))
            .filter(Objects::nonNull).map(Violation::text).toList();
        assertEquals(List.of(), violations, () -> "seed=" + seed);
    }

    private static int port(final ServerProcess server)
    {
        return Integer.parseInt(server.address().substring(server.address().lastIndexOf(':') + 1));
    }
}
