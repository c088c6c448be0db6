package org.onesided.benchmark.peers;

import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code redis-benchmark}, Redis' own client in C, with one connection and with one request or many under way. Does
 * nothing where it is missing.
 */
final class RedisProgram
{
    static final String PROGRAM = "redis-benchmark";
    /** Requests a second that it may be expected to do, at least, for each depth. */
    private static final Map<Integer, Integer> PACES = Map.of(1, 50_000, 64, 400_000);
    private static final List<Integer> DEPTHS = List.of(1, 64);

    private final String program;
    private final Settings settings;
    private final int port;
    private final Map<String, Series> results = new LinkedHashMap<>();

    private RedisProgram(final String program, final Settings settings, final int port)
    {
        this.program = program;
        this.settings = settings;
        this.port = port;
        if (program != null)
        {
            for (final int depth : DEPTHS)
            {
                for (final String name : List.of("GET", "SET"))
                {
                    final String key = key(name, depth);
                    results.put(key, new Series(PROGRAM + " -c 1: " + key, "ns"));
                }
            }
        }
    }

    /** Starts a Redis of its own, since it puts other values; does nothing unless it is wanted. */
    static RedisProgram start(
        final Lab lab, final Results results, final Settings settings, final boolean isWanted) throws IOException
    {
        final Optional<String> path = PeerServer.find(PROGRAM);
        final Optional<String> server = PeerServer.find("redis-server");
        if (path.isEmpty())
        {
            results.missing(PROGRAM);
        }
        if (path.isEmpty() || server.isEmpty() || !isWanted)
        {
            return new RedisProgram(null, settings, 0);
        }
        final PeerServer redis = lab.redis(server.get());
        try (WorkerProcess loader = lab.peer("org.onesided.peers.RedisSubject", "port=" + redis.port()))
        {
            loader.tell(Systems.load(settings.records(), Settings.VALUE_LENGTH));
        }
        final RedisProgram program = new RedisProgram(path.get(), settings, redis.port());
        DEPTHS.forEach((depth) -> results.command(program.command(depth)));
        return program;
    }

    private static String key(final String name, final int depth)
    {
        return name + " -P " + depth;
    }

    private List<String> command(final int depth)
    {
        final long requests = Math.max(1000, (long)PACES.get(depth) * settings.millis() / 1000);
        return List.of(
            program, "-h", "127.0.0.1", "-p", Integer.toString(port), "-c", "1", "-P", Integer.toString(depth),
            "-n", Long.toString(requests), "-r", Long.toString(settings.records()),
            "-d", Integer.toString(Settings.VALUE_LENGTH), "-t", "set,get", "--csv");
    }

    void round() throws IOException
    {
        if (program == null)
        {
            return;
        }
        for (final int depth : DEPTHS)
        {
            // A head, and then "GET","49751.24", and more.
            for (final String line : PeerServer.output(command(depth)).lines().toList())
            {
                final String[] cells = line.replace("\"", "").split(",");
                final Series series = results.get(key(cells[0], depth));
                if (series != null)
                {
                    series.add(1e9 / Double.parseDouble(cells[1]));
                }
            }
        }
    }

    Collection<Series> results()
    {
        return results.values();
    }

    /** Time of a GET at this depth, or null. */
    Series get(final int depth)
    {
        return results.get(key("GET", depth));
    }

    /** Time of a SET at this depth, or null. */
    Series set(final int depth)
    {
        return results.get(key("SET", depth));
    }
}
