package org.onesided.benchmark.peers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import org.onesided.peers.Arguments;
import org.onesided.testing.ServerProcess;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures onesided beside Redis on cores that others want, too. Each round of each surroundings gives one ratio;
 * medians and ranges are printed as the table of docs/waiting.md.
 */
@Command(
    name = "tests/run waiting shared",
    description = "Measures GETs over tcp and PUTs over shm beside Redis, on cores that others want, too.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class SharedCoresBenchmark implements Callable<Integer>
{
    private static final int VALUE_LENGTH = 100;
    private static final List<Integer> THREADS = List.of(1, 4, 16, 64);
    private static final String GET = "operation=get batch=1";
    private static final String PUT = "operation=put batch=1";

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds in each surroundings; default 7.")
    private int rounds = 7;

    @Option(names = "--millis", paramLabel = "N", description = "Milliseconds of each turn; default 1000.")
    private int millis = 1000;

    @Option(names = "--records", paramLabel = "N", description = "Records of 16 + 100 bytes; default 100000.")
    private long records = 100_000;

    @Option(
        names = "--in",
        paramLabel = "WORD",
        split = ",",
        description = "Only surroundings whose name contains one of these, such as busy or quota.")
    private List<String> only = List.of();

    private boolean hasMissed;

    @Option(names = "--root", paramLabel = "DIR", hidden = true, required = true)
    private Path root;

    /** What is compared: ours beside theirs, by one number of what each measured. */
    private record Bar(String name, String ours, String theirs, ToDoubleFunction<Arguments> number, double atMost)
    {
    }

    /**
     * Where redis-benchmark runs, and which server it asks: its own, since it puts other values; and how many threads
     * are measured beside it.
     */
    private record RedisClient(int port, List<String> launcher, List<Integer> threads)
    {
    }

    private static final List<Bar> BARS = List.of(
        new Bar("GET tcp / redis-benchmark, time", "get", "program GET", number("meanNs"), 1.0),
        new Bar("GET tcp / Jedis, p50", "get", "redis get", number("medianNs"), 1.5),
        new Bar("GET tcp / Jedis, p99", "get", "redis get", number("p99Ns"), 1.5),
        new Bar("PUT shm / redis-benchmark, time", "put", "program SET", number("meanNs"), 1.0),
        new Bar("PUT shm / Jedis, p50", "put", "redis put", number("medianNs"), 1.0),
        new Bar("PUT shm / Jedis, p99", "put", "redis put", number("p99Ns"), Double.NaN),
        threads(4, "get 1"), threads(16, "get 1"), threads(64, "get 1"),
        threads(4, "redis get 4"), threads(16, "redis get 16"), threads(64, "redis get 64"));

    /**
     * Runs the benchmark.
     *
     * @param arguments see {@code --help}.
     */
    public static void main(final String[] arguments)
    {
        System.exit(new CommandLine(new SharedCoresBenchmark())
            .setExecutionExceptionHandler((e, line, parsed) ->
            {
                System.err.println("waiting: " + (e instanceof IOException ? e.getMessage() : e));
                return 1;
            })
            .execute(arguments));
    }

    /** As many lookups a second as something else does. */
    private static Bar threads(final int count, final String theirs)
    {
        final String others = theirs.startsWith("redis") ? "Jedis, as many" : "1 thread";
        return new Bar("GET tcp, " + count + " threads / " + others + ", time", "get " + count, theirs,
            number("meanNs"), 1.0);
    }

    private static ToDoubleFunction<Arguments> number(final String name)
    {
        return (measured) -> Double.parseDouble(measured.text(name));
    }

    @Override
    public Integer call() throws IOException
    {
        System.out.println("| cores | compared | ours | theirs | ratio | range | at most | |");
        System.out.println("|---|---|---|---|---|---|---|---|");
        for (final Surroundings surroundings : Surroundings.all())
        {
            try (surroundings)
            {
                if (only.isEmpty() || only.stream().anyMatch((word) -> Settings.matches(surroundings.name(), word)))
                {
                    surroundings.open();
                    measure(surroundings);
                }
            }
        }
        return hasMissed ? 1 : 0;
    }

    private void measure(final Surroundings surroundings) throws IOException
    {
        final Map<String, List<Arguments>> measured = new LinkedHashMap<>();
        try (Lab lab = new Lab(root.resolve("tests/peers/target"), List.of(), surroundings.launcher()))
        {
            final WorkerProcess tcp = worker(lab, "tcp", "--device", "tcp:127.0.0.1:0");
            final WorkerProcess shm = worker(lab, "shm");
            final PeerServer server = lab.redis(program("redis-server"));
            final WorkerProcess redis = lab.peer("org.onesided.peers.RedisSubject", "port=" + server.port());
            final PeerServer other = lab.redis(program("redis-server"));
            try (WorkerProcess loader = lab.peer("org.onesided.peers.RedisSubject", "port=" + other.port()))
            {
                loader.tell(Systems.load(records, VALUE_LENGTH));
            }
            final RedisClient client = new RedisClient(
                other.port(), surroundings.launcher(), surroundings.isQuiet() ? THREADS : List.of());
            for (final WorkerProcess worker : List.of(tcp, shm, redis))
            {
                worker.tell(Systems.load(records, VALUE_LENGTH));
            }
            // The compilers have done their work before the others begin.
            for (int i = 0; i < 4; i++)
            {
                round(-i, 1000, tcp, shm, redis, client, new LinkedHashMap<>());
            }
            surroundings.begin();
            for (int i = 1; i <= rounds; i++)
            {
                round(i, millis, tcp, shm, redis, client, measured);
            }
        }
        for (final Bar bar : BARS)
        {
            if (measured.containsKey(bar.ours()))
            {
                print(surroundings.name(), bar, measured.get(bar.ours()), measured.get(bar.theirs()));
            }
        }
    }

    private WorkerProcess worker(final Lab lab, final String device, final String... arguments) throws IOException
    {
        final ServerProcess server = Systems.server(lab, records, VALUE_LENGTH, arguments);
        return lab.own(StoreSubject.class, "server=" + server.address(), "device=" + device, "waiting=default");
    }

    private static String program(final String name) throws IOException
    {
        return PeerServer.find(name).orElseThrow(() ->
            new IOException(name + " is not installed (as root: apt-get install redis-server redis-tools)"));
    }

    private void round(
        final int round, final int length, final WorkerProcess tcp, final WorkerProcess shm, final WorkerProcess redis,
        final RedisClient client, final Map<String, List<Arguments>> measured) throws IOException
    {
        final String rest = " seed=" + (round & Integer.MAX_VALUE) + " millis=" + length;
        add(measured, "get", tcp.tell("measure " + GET + rest));
        add(measured, "redis get", redis.tell("measure " + GET + rest));
        program("GET", client, length, measured);
        add(measured, "put", shm.tell("measure " + PUT + rest));
        add(measured, "redis put", redis.tell("measure " + PUT + rest));
        program("SET", client, length, measured);
        for (final int threads : client.threads())
        {
            final String crowd = "crowd threads=" + threads + " count=" + records + rest;
            add(measured, "get " + threads, tcp.tell(crowd));
            add(measured, "redis get " + threads, redis.tell(crowd));
        }
    }

    /** As many requests as take some {@code length} on a machine of middling speed. */
    private void program(
        final String request, final RedisClient client, final int length, final Map<String, List<Arguments>> measured)
        throws IOException
    {
        final List<Arguments> before = measured.get("program " + request);
        final double expectedNs = before == null ? 30_000 : number("meanNs").applyAsDouble(before.get(0));
        final List<String> command = new ArrayList<>(List.of(
            program("redis-benchmark"), "-h", "127.0.0.1", "-p", Integer.toString(client.port()), "-c", "1",
            "-n", Long.toString(Math.max(1000, (long)(length * 1e6 / expectedNs))), "-r", Long.toString(records),
            "-d", Integer.toString(VALUE_LENGTH), "-t", request.toLowerCase(Locale.ROOT), "--csv"));
        command.addAll(0, client.launcher());
        for (final String line : PeerServer.output(command).lines().toList())
        {
            final String[] cells = line.replace("\"", "").split(",");
            if (cells[0].equals(request))
            {
                add(measured, "program " + request,
                    new Arguments(new String[]{"meanNs=" + 1e9 / Double.parseDouble(cells[1])}));
            }
        }
    }

    private static void add(
        final Map<String, List<Arguments>> measured, final String name, final Arguments arguments)
    {
        measured.computeIfAbsent(name, (n) -> new ArrayList<>()).add(arguments);
    }

    private void print(
        final String surroundings, final Bar bar, final List<Arguments> ours, final List<Arguments> theirs)
    {
        final List<Double> our = ours.stream().map(bar.number()::applyAsDouble).toList();
        final List<Double> their = theirs.stream().map(bar.number()::applyAsDouble).toList();
        final List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < our.size(); i++)
        {
            ratios.add(our.get(i) / their.get(i));
        }
        final Spread ratio = Spread.of(ratios);
        System.out.printf(Locale.ROOT, "| %s | %s | %.1f µs | %.1f µs | %.2f | %.2f to %.2f | %s | %s |%n",
            surroundings, bar.name(), Spread.of(our).median() / 1000, Spread.of(their).median() / 1000, ratio.median(),
            ratio.least(), ratio.most(), Double.isNaN(bar.atMost()) ? "-" : String.format("%.1f", bar.atMost()),
            Double.isNaN(bar.atMost()) ? "" : ratio.median() <= bar.atMost() ? "met" : "missed");
        hasMissed |= ratio.median() > bar.atMost();
    }
}
