package org.onesided.benchmark.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.client.exceptions.StoreBatchException;
import org.onesided.client.types.ShardStatistics;
import org.onesided.peers.Arguments;
import org.onesided.peers.Records;
import org.onesided.protocol.table.BucketDescriptor;
import org.onesided.testing.ServerProcess;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Fills a server until it refuses a put, and memcached with as many records of the same length; prints the memory that
 * a record takes in both.
 */
@Command(
    name = "tests/run record-memory",
    description = "Fills a server until it refuses a put, and memcached with as many records, and prints bytes per " +
        "record: of --memory, of memcached's slabs and hash table, and of what both processes have resident beyond " +
        "what they had at their start.",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    sortOptions = false)
final class RecordMemory implements Callable<Integer>
{
    private static final long MIB = 1 << 20;
    private static final int BATCH = 10_000;
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    /** What memcached may take, as a multiple of what we take. */
    private static final int PLENTY = 8;

    @Option(names = "--memory", paramLabel = "MIB", description = "Of each server.")
    private long memory = 128;

    @Option(names = "--device", paramLabel = "NAME", description = "Of server and client.")
    private String device = "shm";

    @Option(names = "--values", paramLabel = "BYTES", split = ",", description = "Lengths of values, from 8.")
    private List<Integer> values = List.of(8, 32, 100, 1000);

    @Option(names = "--root", paramLabel = "DIR", hidden = true, required = true)
    private Path root;

    /** Bytes that records take in a system: of its own memory, and resident. */
    private record Use(long records, double own, double inUse, double resident)
    {
    }

    private RecordMemory()
    {
    }

    public static void main(final String[] arguments)
    {
        System.exit(new CommandLine(new RecordMemory()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException
    {
        final Optional<String> memcached = PeerServer.find("memcached");
        System.out.printf("%6s %10s %10s %8s %9s | %16s %9s | %6s %9s%n", "value", "records", "--memory", "in use",
            "resident", "memcached: slabs", "resident", "ratio", "resident");
        for (final int value : values)
        {
            try (Lab lab = new Lab(root.resolve("tests/peers/target"), List.of()))
            {
                final Use ours = ours(lab, value);
                String row = String.format(Locale.ROOT, "%6d %,10d %10.1f %8.1f %9.1f", value, ours.records(),
                    ours.own(), ours.inUse(), ours.resident());
                if (memcached.isPresent())
                {
                    final Use theirs = theirs(lab, memcached.get(), value, ours.records());
                    row += String.format(Locale.ROOT, " | %16.1f %9.1f | %6.2f %9.2f", theirs.own(), theirs.resident(),
                        ours.own() / theirs.own(), ours.resident() / theirs.resident());
                }
                System.out.println(row);
            }
        }
        if (memcached.isEmpty())
        {
            System.out.println("memcached is not installed (as root: apt-get install memcached)");
        }
        return 0;
    }

    private Use ours(final Lab lab, final int valueLength) throws IOException
    {
        final ServerProcess server = lab.server(List.of(
            "--memory", memory + "MiB", "--memory-initial", "1MiB", "--shards", "1", "--device", device));
        try (StoreClient client = StoreClient.builder().server(server.address()).device(device).deadline(DEADLINE)
            .build();
            StoreSession session = client.openSession())
        {
            final long before = resident(server.pid());
            fill(session, valueLength);
            final ShardStatistics shard = session.statistics(0);
            final long index = (shard.buckets() + shard.overflowBucketsUsed()) * BucketDescriptor.LENGTH;
            return use(shard.records(), memory * MIB, index + shard.heapBytesUsed(), resident(server.pid()) - before);
        }
    }

    private static void fill(final StoreSession session, final int valueLength)
    {
        final byte[] value = Records.template(valueLength);
        boolean isFull = false;
        for (long first = 0; !isFull; first += BATCH)
        {
            final List<byte[]> keys = new ArrayList<>(BATCH);
            for (int i = 0; i < BATCH; i++)
            {
                final byte[] key = new byte[Records.KEY_LENGTH];
                Records.key(first + i, key);
                keys.add(key);
            }
            try
            {
                session.putAll(keys, Collections.nCopies(BATCH, value));
            }
            catch (final StoreBatchException e)
            {
                isFull = true;
            }
        }
    }

    private Use theirs(final Lab lab, final String program, final int valueLength, final long count)
        throws IOException
    {
        final PeerServer server = lab.add(PeerServer.memcached(program, PLENTY * memory * MIB));
        final long before = resident(server.pid());
        final WorkerProcess client = lab.peer("org.onesided.peers.MemcachedSubject", "port=" + server.port());
        client.tell(Systems.load(count, valueLength));
        final Arguments all = client.tell("memory");
        return use(all.number("records"), all.number("slabs") + all.number("index"), all.number("bytes"),
            resident(server.pid()) - before);
    }

    private static Use use(final long records, final long own, final long inUse, final long resident)
    {
        return new Use(records, (double)own / records, (double)inUse / records, (double)resident / records);
    }

    /** Bytes of a process that are in memory, shared ones included. */
    private static long resident(final long pid) throws IOException
    {
        final String name = "VmRSS:";
        return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
            .filter((line) -> line.startsWith(name))
            .mapToLong((line) -> Long.parseLong(line.substring(name.length()).replace("kB", "").trim()) << 10)
            .findFirst().orElseThrow(() -> new IOException("no such field: field=" + name));
    }
}
