package org.onesided.benchmark.peers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Redis with an append-only file, measured by redis-benchmark.
 */
final class RedisOnDisk
{
    private static final double NS_PER_MS = 1e6;
    private static final int FIRST_REQUESTS = 500;

    private final PeerServer server;
    private final String program;
    private final long records;
    /** Requests a second of the last turn, by the number of clients and the pipeline's length. */
    private final Map<List<Integer>, Double> rates = new HashMap<>();

    private RedisOnDisk(final PeerServer server, final String program, final long records)
    {
        this.server = server;
        this.program = program;
        this.records = records;
    }

    /**
     * @param fsync      value of {@code appendfsync}.
     * @param directory  an existing one.
     * @param server     path of redis-server.
     * @param benchmark  path of redis-benchmark.
     */
    static RedisOnDisk start(
        final Lab lab, final String fsync, final Path directory, final long records, final String server,
        final String benchmark) throws IOException
    {
        return new RedisOnDisk(lab.add(PeerServer.redisOnDisk(server, directory, fsync)), benchmark, records);
    }

    /**
     * Puts values of 100 bytes.
     *
     * @param pipeline requests that a client has under way.
     */
    Turn measure(final int clients, final int pipeline, final long millis) throws IOException
    {
        final List<Integer> kind = List.of(clients, pipeline);
        if (!rates.containsKey(kind))
        {
            rates.put(kind, run(clients, pipeline, FIRST_REQUESTS).perSecond());
        }
        final Turn turn = run(clients, pipeline, Math.max(FIRST_REQUESTS, (long)(rates.get(kind) * millis / 1000)));
        rates.put(kind, turn.perSecond());
        return turn;
    }

    private Turn run(final int clients, final int pipeline, final long requests) throws IOException
    {
        final List<String> lines = PeerServer.output(List.of(
            program, "-h", "127.0.0.1", "-p", Integer.toString(server.port()), "-c", Integer.toString(clients),
            "-P", Integer.toString(pipeline), "-n", Long.toString(requests), "-r", Long.toString(records),
            "-d", Integer.toString(MeasuredStore.VALUE_LENGTH), "-t", "set", "--csv")).lines().toList();
        List<String> names = List.of();
        for (final String line : lines)
        {
            final List<String> cells = List.of(line.replace("\"", "").split(","));
            if (cells.get(0).equals("test"))
            {
                names = cells;
            }
            else if (cells.get(0).equals("SET") && names.size() == cells.size())
            {
                return new Turn(number(names, cells, "rps"), number(names, cells, "p50_latency_ms") * NS_PER_MS,
                    number(names, cells, "p99_latency_ms") * NS_PER_MS);
            }
        }
        throw new IOException("redis-benchmark printed no result: output=" + lines);
    }

    private static double number(final List<String> names, final List<String> cells, final String name)
        throws IOException
    {
        final int at = names.indexOf(name);
        if (at < 0)
        {
            throw new IOException("redis-benchmark does not print this: name=" + name + " printed=" + names);
        }
        return Double.parseDouble(cells.get(at));
    }
}
