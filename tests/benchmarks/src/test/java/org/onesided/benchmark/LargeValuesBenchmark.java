package org.onesided.benchmark;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreBatchException;
import org.onesided.client.exceptions.StoreFullException;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;
import org.onesided.server.memory.MemoryMetrics;
import org.onesided.server.table.TableStatistics;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Puts large values among short ones as long as the heap's free bytes, at its full size, are at least their length plus
 * 3 % of it. Prints how many were taken and refused, and how long they took.
 */
@Command(
    name = "tests/run large-values",
    description = "Puts large values among short ones while the heap has room for them by its bytes, and prints how " +
        "many were taken and how long that took. Fails if one is refused.",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    sortOptions = false)
final class LargeValuesBenchmark implements Callable<Integer>
{
    private static final int MIB = 1 << 20;
    private static final int KEY_LENGTH = 16;
    private static final int SHORT = 100;
    private static final int BATCH_BYTES = 4 << 20;
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    /** Part of memory that only the index may have in the end. */
    private static final int INDEX_PART = 256;
    private static final double NEEDED = 0.03;
    /** Most that a record takes beyond its value: header, key, and the steps of a long one's length. */
    private static final int OVERHEAD = 24 + KEY_LENGTH + 128;
    private static final double NS_PER_MS = 1e6;

    @Option(names = "--device", paramLabel = "NAME", description = "Of server and client.")
    private String device = "shm";

    @Option(names = "--memory", paramLabel = "MIB", description = "Of each server, at least 256.")
    private long memory = 512;

    @Option(names = "--lengths", paramLabel = "N", description = "Values of random lengths up to 64 MiB that are put.")
    private int lengths = 500;

    private final Random random = new Random(1);
    private StoreServer server;
    private StoreSession session;
    private long nextKey;
    private int refused;

    private LargeValuesBenchmark()
    {
    }

    public static void main(final String[] arguments)
    {
        System.exit(new CommandLine(new LargeValuesBenchmark()).execute(arguments));
    }

    @Override
    public Integer call()
    {
        run("records of 144 bytes, a full heap cut down to 57 %", () -> fillAndCut(SHORT, 57), 8 * MIB);
        run("records of 144 bytes, a full heap cut down to 28 %", () -> fillAndCut(SHORT, 28), 64 * MIB);
        run("values of 256 KiB, every other one deleted", () -> fillAndCut(MIB / 4, 50), 32 * MIB);
        run("records of 144 bytes up to 57 % of the memory", () -> fillTo(57), 8 * MIB);
        run("records of 144 bytes up to 28 % of the memory", () -> fillTo(28), 64 * MIB);
        run("values of any length", () -> { }, 0);
        return refused == 0 ? 0 : 1;
    }

    private void run(final String what, final Runnable filler, final int length)
    {
        final ServerOptions options =
            new ServerOptions().listenPort(0).device(device).shards(1).memory(memory * MIB);
        try (StoreServer started = StoreServer.start(options);
            StoreClient client = StoreClient.builder().server("127.0.0.1:" + started.address().getPort())
                .device(device).deadline(DEADLINE).build();
            StoreSession opened = client.openSession())
        {
            server = started;
            session = opened;
            filler.run();
            final double before = inUse();
            if (length == 0)
            {
                putAnyLengths(what);
            }
            else
            {
                putAll(what, before, length);
            }
        }
    }

    private void putAll(final String what, final double before, final int length)
    {
        final byte[] value = new byte[length];
        final long moved = table().recordsMoved();
        int count = 0;
        int refusedHere = 0;
        long longestNs = 0;
        final long beginNs = System.nanoTime();
        while (refusedHere == 0 && hasRoom(length))
        {
            final long putNs = System.nanoTime();
            refusedHere += put(value) ? 0 : 1;
            count++;
            longestNs = Math.max(longestNs, System.nanoTime() - putNs);
        }
        System.out.printf(Locale.ROOT, "%s: %.3f in use; %d values of %d MiB, %d refused, %.3f in use then; %.1f ms " +
            "each, longest %.1f ms, %,d records moved%n", what, before, count, length / MIB, refusedHere, inUse(),
            (System.nanoTime() - beginNs) / NS_PER_MS / Math.max(1, count), longestNs / NS_PER_MS,
            table().recordsMoved() - moved);
        refused += refusedHere;
    }

    /** Each length is as likely as its half; values are deleted at random where there is no room by the bytes. */
    private void putAnyLengths(final String what)
    {
        final List<Long> keys = new ArrayList<>();
        final List<Integer> kept = new ArrayList<>();
        // What was deleted counts as used until it is zeroed, which a put waits for if it needs the room.
        final long begun = table().heapBytesUsed();
        long live = 0;
        int refusedHere = 0;
        long longestNs = 0;
        long written = 0;
        double fullest = 0;
        for (int i = 0; i < lengths; i++)
        {
            final int length = (int)Math.round(Math.pow(64.0 * MIB, random.nextDouble()));
            while (full() - begun - live < length + OVERHEAD + NEEDED * full())
            {
                final int index = random.nextInt(keys.size());
                session.delete(key(keys.get(index)));
                live -= kept.get(index) + OVERHEAD;
                Collections.swap(keys, index, keys.size() - 1);
                Collections.swap(kept, index, kept.size() - 1);
                keys.remove(keys.size() - 1);
                kept.remove(kept.size() - 1);
            }
            keys.add(nextKey);
            kept.add(length);
            live += length + OVERHEAD;
            final long beginNs = System.nanoTime();
            refusedHere += put(new byte[length]) ? 0 : 1;
            longestNs = Math.max(longestNs, System.nanoTime() - beginNs);
            written += length;
            fullest = Math.max(fullest, inUse());
        }
        System.out.printf(Locale.ROOT, "%s: %d values, %d MiB, %d refused, up to %.3f in use; longest %.1f ms, %,d " +
            "records moved%n", what, lengths, written / MIB, refusedHere, fullest, longestNs / NS_PER_MS,
            table().recordsMoved());
        refused += refusedHere;
    }

    /** Until one is refused; then some are deleted, at random or every other one. */
    private void fillAndCut(final int length, final int percentKept)
    {
        final long first = nextKey;
        boolean isFull = false;
        while (!isFull)
        {
            isFull = !putMany(length);
        }
        for (long number = first; number < nextKey; number++)
        {
            if (percentKept == 50 ? number % 2 == 0 : random.nextInt(100) >= percentKept)
            {
                session.delete(key(number));
            }
        }
    }

    private void fillTo(final int percent)
    {
        boolean isFull = false;
        while (!isFull && table().heapBytesUsed() < memory * MIB / 100 * percent)
        {
            isFull = !putMany(SHORT);
        }
    }

    /** Whether all were taken. */
    private boolean putMany(final int length)
    {
        final int count = Math.max(1, Math.min(10_000, BATCH_BYTES / length));
        final List<byte[]> keys = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            keys.add(key(nextKey++));
        }
        try
        {
            session.putAll(keys, Collections.nCopies(count, new byte[length]));
            return true;
        }
        catch (final StoreBatchException e)
        {
            System.out.println("filled: " + e.getMessage());
            return false;
        }
    }

    private boolean put(final byte[] value)
    {
        try
        {
            session.put(key(nextKey++), value);
            return true;
        }
        catch (final StoreFullException e)
        {
            System.out.println("refused: length=" + value.length + " free=" + free() + " full=" + full() + " " +
                e.getMessage());
            return false;
        }
    }

    private boolean hasRoom(final int length)
    {
        return free() >= length + NEEDED * full();
    }

    /** Bytes of the heap at its full size: of this one shard, all that is left may go there. */
    private long full()
    {
        final MemoryMetrics all = server.metrics().memory();
        return table().heapBytes() + Math.max(0, all.limit() - all.committed() - all.limit() / INDEX_PART);
    }

    private long free()
    {
        return full() - table().heapBytesUsed();
    }

    private double inUse()
    {
        return (double)table().heapBytesUsed() / full();
    }

    private TableStatistics table()
    {
        return server.metrics().shards().get(0).table();
    }

    private static byte[] key(final long number)
    {
        return ByteBuffer.allocate(KEY_LENGTH).putLong(number).array();
    }
}
