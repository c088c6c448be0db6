package org.onesided.benchmark.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures onesided beside what users would take instead, all in one run, in rounds in which each system has its turn.
 * {@code tests/run benchmark --help} shows its options.
 */
@Command(name = "tests/run benchmark")
public final class PeerBenchmark implements Callable<Integer>
{
    private static final String COUNTS = "counts";
    private static final int QUICK_ROUNDS = 3;
    private static final int AGAINST_ROUNDS = 15;
    private static final int QUICK_MILLIS = 150;
    private static final int QUICK_WARM_UP_MILLIS = 700;

    @Option(names = "--records")
    private long records = 1_000_000;

    @Option(names = "--rounds")
    private Integer rounds;

    @Option(names = "--millis")
    private Integer millis;

    @Option(names = "--warm-up")
    private Integer warmUp;

    @Option(names = "--quick")
    private boolean isQuick;

    @Option(names = "--only", split = ",")
    private List<String> only = List.of();

    @Option(names = "--large")
    private boolean isLarge;

    @Option(names = "--large-records", hidden = true)
    private long large = 20_000_000;

    @Option(names = "--vm")
    private boolean isVm;

    @Option(names = "--json")
    private Path json;

    @Option(names = "--docs")
    private boolean isDocs;

    @Option(names = "--against")
    private String against;

    @Option(names = "--against-class-path", hidden = true)
    private String againstClassPath;

    @Option(names = "--page")
    private boolean isPage;

    @Option(names = "--jvm-option", hidden = true)
    private List<String> jvmOptions = List.of();

    @Option(names = "--root", hidden = true, required = true)
    private Path root;

    private final List<String> arguments;

    private PeerBenchmark(final List<String> arguments)
    {
        this.arguments = arguments;
    }

    /**
     * Runs the benchmark.
     *
     * @param arguments see {@code --help}.
     */
    public static void main(final String[] arguments)
    {
        System.exit(run(List.of(arguments)));
    }

    static int run(final List<String> arguments)
    {
        return new CommandLine(new PeerBenchmark(arguments))
            .setParameterExceptionHandler((e, args) -> refuse(e.getMessage()))
            .setExecutionExceptionHandler((e, line, parsed) ->
            {
                System.err.println("benchmark: " + (e instanceof IOException ? e.getMessage() : e));
                return 1;
            })
            .execute(arguments.toArray(new String[0]));
    }

    @Override
    public Integer call() throws IOException
    {
        final Path docs = root.resolve("docs");
        if (isPage)
        {
            final String text = Files.readString(docs.resolve("benchmarks.json"));
            Files.writeString(docs.resolve("benchmarks.md"), new Report(Json.read(text)).page());
            return 0;
        }
        final Optional<String> unknown = unknownWord();
        if (unknown.isPresent())
        {
            return refuse(unknown.get());
        }
        if (againstClassPath != null)
        {
            return new Against(() -> new Lab(root.resolve("tests/peers/target"), jvmOptions),
                settings(), against, againstClassPath).run() ? 0 : 1;
        }
        final Results results = new Results();
        results.command(command());
        results.fact("load average before the run (tells of noise if over 1)", Machine.load());
        final Settings settings = settings();
        try (Lab lab = new Lab(root.resolve("tests/peers/target"), jvmOptions))
        {
            final Systems systems = Systems.start(lab, results, settings);
            new Speed(lab, results, settings, systems).run();
            new TcpSpeed(lab, results, settings, systems).run();
            if (settings.wants(COUNTS))
            {
                new Counts(lab, results, settings, systems).run();
            }
        }
        if (isLarge)
        {
            try (Lab lab = new Lab(root.resolve("tests/peers/target"), jvmOptions))
            {
                new Growth(results, settings, large).run(lab);
            }
        }
        final Map<String, Object> head = head(settings);
        if (isVm)
        {
            addVirtualMachine(head, results, settings);
        }
        write(results.tree(head), docs);
        return isVm && !head.containsKey("vm") ? 1 : 0;
    }

    /** What was measured so far must not be lost with it. */
    private void addVirtualMachine(
        final Map<String, Object> head, final Results results, final Settings settings)
    {
        try
        {
            head.put("vm", VirtualMachine.run(root, settings.rounds()));
        }
        catch (final IOException e)
        {
            System.err.println("benchmark: " + e.getMessage());
            results.missing("tests/vm/benchmark, which failed");
        }
    }

    private static int refuse(final String message)
    {
        System.err.println("benchmark: " + message + "; see tests/run benchmark --help");
        return CommandLine.ExitCode.USAGE;
    }

    /** A word of which nothing has the name would measure nothing. */
    private Optional<String> unknownWord()
    {
        final List<String> names = new ArrayList<>(Speed.TITLES);
        names.addAll(TcpSpeed.TITLES);
        names.addAll(Against.TITLES);
        names.add(COUNTS);
        return only.stream()
            .filter((word) -> names.stream().noneMatch((name) -> Settings.matches(name, word)))
            .findFirst()
            .map((word) -> "nothing has this in its name: --only=" + word + ", there are: " + names);
    }

    private Settings settings()
    {
        return new Settings(
            records,
            rounds != null ? rounds : isQuick ? QUICK_ROUNDS : against != null ? AGAINST_ROUNDS : 9,
            millis != null ? millis : isQuick ? QUICK_MILLIS : 300,
            warmUp != null ? warmUp : isQuick || against != null ? QUICK_WARM_UP_MILLIS : 2000,
            only);
    }

    private List<String> command()
    {
        final List<String> command = new ArrayList<>(List.of("tests/run", "benchmark"));
        arguments.stream().filter((a) -> !a.startsWith("--root")).forEach(command::add);
        return command;
    }

    private Map<String, Object> head(final Settings settings) throws IOException
    {
        final Map<String, Object> head = new LinkedHashMap<>();
        head.put("machine", Machine.facts());
        head.put("peers", Machine.peers(root.resolve("tests/peers/target/class-path")));
        final Map<String, Object> run = new LinkedHashMap<>();
        run.put("records", (double)settings.records());
        run.put("rounds", (double)settings.rounds());
        run.put("milliseconds of a turn", (double)settings.millis());
        head.put("run", run);
        return head;
    }

    private void write(final Map<String, Object> tree, final Path docs) throws IOException
    {
        final String text = Json.write(tree);
        final Path file = json != null ? json : root.resolve("tests/target/benchmarks.json");
        Files.writeString(file, text);
        final Report report = new Report(Json.read(text));
        if (isDocs)
        {
            Files.writeString(docs.resolve("benchmarks.json"), text);
            Files.writeString(docs.resolve("benchmarks.md"), report.page());
        }
        System.out.print(report.text());
        System.out.println("\nresults: " + file);
    }
}
