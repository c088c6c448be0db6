package org.onesided.tools.kvctl.quickstart;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.types.ClientStatistics;
import org.onesided.tools.kvctl.command.GivenSettings;
import org.onesided.tools.kvctl.command.KvctlCommand;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.WaitNotice;
import org.onesided.tools.kvctl.load.ReportFile;
import org.onesided.tools.kvctl.server.ServerProcess;
import org.onesided.tools.load.output.PhaseResult;
import org.onesided.tools.load.output.ProgressLine;
import org.onesided.tools.load.output.ResultTable;
import org.onesided.tools.load.output.RunResult;
import org.onesided.tools.load.report.ReportRun;
import org.onesided.tools.load.run.LoadRun;
import org.onesided.tools.load.run.RunPlan;
import org.onesided.tools.load.run.ServerAccess;
import org.onesided.tools.load.workload.CoreWorkloads;
import org.onesided.tools.load.workload.WorkloadProperties;
import org.onesided.tools.machine.LocalServer;
import org.onesided.tools.machine.ProcessorTime;
import org.onesided.tools.settings.ClientSettings;
import org.onesided.tools.settings.RdmaSetting;
import org.onesided.tools.text.Amounts;
import org.onesided.verbs.OpenDevice;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code kvctl quickstart}.
 */
@Command(
    name = "quickstart",
    description = "Start a small server, put and get keys, count the READs, run a short load, and stop the server.",
    footer = {
        "",
        "The server listens on a free port of this machine, and nothing of it stays behind. The load is YCSB's " +
            "workload B; a page with its charts is left for a browser.",
        "",
        "Examples:",
        "  kvctl quickstart",
        "  kvctl quickstart --memory 256m --report load.html",
    })
public final class QuickstartCommand extends KvctlCommand
{
    /** The only kind of device whose READs a thread of the server's process serves. */
    private static final String TCP = "tcp";
    private static final int WARM_UP_LOOKUPS = 2_000;
    private static final int LOOKUPS = 10_000;
    private static final int LOAD_RECORDS = 2_000;
    private static final int LOAD_SECONDS = 3;
    /** Much, as a newcomer's machine may be busy with anything. */
    private static final Duration DEADLINE = Duration.ofMinutes(1);
    private static final int LOAD_WARM_UP_SECONDS = 1;

    @Option(
        names = "--memory",
        paramLabel = "SIZE",
        defaultValue = "32MiB",
        description = "Memory of the server; default 32MiB.")
    private String memory;

    @Option(
        names = "--device",
        paramLabel = "NAME",
        description = "What carries the verbs: ibv, ibv:NAME, shm, tcp or auto; else KVCTL_DEVICE, else auto.")
    private String namedDevice;

    @Option(
        names = "--report",
        paramLabel = "FILE",
        description = "File for the page with the load's charts, HTML; default a new one among the temporary files.")
    private String reportFile;

    private String device;
    /** Option that the printed commands need to use the device of this command. */
    private String deviceOption;
    private PrintStream out;

    @Override
    protected ExitCode run() throws IOException
    {
        invocation().logFrom("error");
        final GivenSettings settings = invocation().settings();
        device = Objects.requireNonNullElse(
            namedDevice != null ? namedDevice : settings.value(ClientSettings.DEVICE),
            StoreClientBuilder.DEFAULT_DEVICE);
        deviceOption =
            namedDevice == null && !settings.isTyped(ClientSettings.DEVICE) ? "" : " --device " + device;
        out = new PrintStream(output(), true, UTF_8);
        final int argumentCount = arguments().size();
        final List<String> options = new ArrayList<>(List.of("--memory", memory, "--device", device));
        options.addAll(invocation().connection().arguments(RdmaSetting.settings()));
        try (ServerProcess server = WaitNotice.during(
            surroundings(), "starting a server", () -> ServerProcess.start(argumentCount, options)))
        {
            out.println("Started a server, process " + server.pid() + ":");
            out.println("  kvctl server --listen " + server.address() + " --memory " + memory + deviceOption);
            try (StoreClient client = StoreClient.builder()
                .server(server.address())
                .device(device)
                .deadline(DEADLINE)
                .connection(RdmaSetting.connection(StoreClientBuilder.DEFAULT_CONNECTION, settings))
                .build())
            {
                showWrites(client);
                showReads(client);
                showProcessorTime(client, server);
                showLoad(client, server);
            }
            final int exitCode = WaitNotice.during(surroundings(), "stopping the server", server::stop);
            if (exitCode != ExitCode.DONE.code())
            {
                throw new CommandException(ExitCode.FAILED, "the server did not stop cleanly: exit code=" + exitCode);
            }
            out.println();
            out.println("Stopped the server; it left nothing behind.");
        }
        showNextSteps();
        return ExitCode.DONE;
    }

    private void showWrites(final StoreClient client)
    {
        out.println();
        out.println("Changes are requests that the server answers:");
        put(client, "greeting", "Hello, one-sided world");
        put(client, "answer", "42");
        put(client, "poem", "Roses are red, ".repeat(100));
    }

    private void put(final StoreClient client, final String key, final String value)
    {
        client.put(key, value);
        out.println("  put " + key + " " + shorten(value));
    }

    private void showReads(final StoreClient client)
    {
        out.println();
        out.println(TCP.equals(OpenDevice.kind(client.server().device())) ?
            "Lookups READ the server's memory; a thread of its device tcp answers them:" :
            "Lookups READ the server's memory; it takes no part:");
        get(client, "greeting");
        get(client, "answer");
        get(client, "poem");
        get(client, "nobody");
    }

    private void get(final StoreClient client, final String key)
    {
        final ClientStatistics before = client.clientStatistics();
        final String value = client.get(key);
        final ClientStatistics after = client.clientStatistics();
        final String reads = Amounts.count(after.reads() - before.reads(), "READ");
        out.printf(
            Locale.ROOT, "  %-14s %-28s %s%n", "get " + key, value == null ? "(absent)" : shorten(value), reads);
    }

    private void showProcessorTime(final StoreClient client, final ServerProcess server) throws IOException
    {
        WaitNotice.during(surroundings(), "warming up", () -> lookUp(client, WARM_UP_LOOKUPS));
        final long readsBefore = client.clientStatistics().reads();
        final ProcessorTime processor = new ProcessorTime(server.pid());
        final long processorBeforeNs = processor.lookNs();
        final long elapsedNs = WaitNotice.during(surroundings(), "looking up", () -> lookUp(client, LOOKUPS));
        final long processorNs = processor.lookNs() - processorBeforeNs;
        final long reads = client.clientStatistics().reads() - readsBefore;

        out.println();
        out.println(Amounts.count(LOOKUPS) + " lookups:");
        out.printf(Locale.ROOT, "  READs                        %,10d%n", reads);
        out.printf(Locale.ROOT, "  time                         %,10.1f ms%n", elapsedNs / 1e6);
        out.printf(Locale.ROOT, "  each                         %,10.2f us%n", elapsedNs / 1e3 / LOOKUPS);
        if (processorBeforeNs >= 0)
        {
            out.printf(Locale.ROOT, "  processor time of the server %,10.1f ms%n", processorNs / 1e6);
        }
    }

    private void showLoad(final StoreClient client, final ServerProcess server) throws IOException
    {
        final String name =
            reportFile != null ? reportFile : Files.createTempFile("kvctl-quickstart-", ".html").toString();
        final ReportFile report = ReportFile.of(name);
        out.println();
        out.println("YCSB's workload B, as the following command runs it:");
        out.println("  kvctl load --server " + server.address() + deviceOption + " --workload b \\");
        out.println("    --records " + LOAD_RECORDS + " --warm-up 1s --duration 3s --report load.html");
        out.println();
        final Map<String, String> properties = new HashMap<>(CoreWorkloads.properties("b"));
        properties.put("recordcount", Integer.toString(LOAD_RECORDS));
        final RunPlan plan = new RunPlan(
            new WorkloadProperties(properties).workload("b"),
            RunPlan.Phases.BOTH,
            1,
            1,
            0,
            TimeUnit.SECONDS.toNanos(LOAD_SECONDS),
            TimeUnit.SECONDS.toNanos(LOAD_WARM_UP_SECONDS),
            RunPlan.Verify.ON,
            new SplittableRandom().nextLong());
        final RunResult result;
        try (LoadRun run = LoadRun.inThisProcess(
            plan,
            new ServerAccess(client),
            LocalServer::processorTimeNs,
            new ProgressLine(surroundings().err(), surroundings().errIsTerminal()),
            null))
        {
            result = run.run(version(), List.of("kvctl", "quickstart"));
        }
        out.print(ResultTable.of(result));
        for (final PhaseResult phase : result.phases())
        {
            if (phase.failed() > 0 || phase.verification().faultCount() > 0)
            {
                throw new CommandException(ExitCode.FAILED, "operations of the load failed, as the table says: " +
                    "failed=" + phase.failed());
            }
        }
        WaitNotice.during(surroundings(), "drawing charts", () ->
        {
            // Its name follows on standard output.
            report.write(List.of(ReportRun.of("", result)), line -> { });
            return null;
        });
        out.println();
        out.println("Its charts, for a browser:");
        out.println("  " + name);
    }

    /** The elapsed time, in nanoseconds. */
    private static long lookUp(final StoreClient client, final int times)
    {
        final long beforeNs = System.nanoTime();
        final byte[] key = "greeting".getBytes(UTF_8);
        for (int i = 0; i < times; i++)
        {
            if (client.get(key) == null)
            {
                throw new CommandException(ExitCode.FAILED, "a key that was put is not there: greeting");
            }
        }
        return System.nanoTime() - beforeNs;
    }

    private void showNextSteps()
    {
        // In a clone, kvctl is not on the path.
        final String program = Files.isExecutable(Path.of("kvctl")) ? "./kvctl" : "kvctl";
        out.println();
        out.println("Next:");
        out.printf("  %-31s a server to keep%n", program + " server --memory 1g" + deviceOption + " &");
        out.println("  " + program + " put greeting hello");
        out.println("  " + program + " get greeting");
        out.println("  " + program + " load --workload a --threads 2");
        out.printf("  %-31s all commands%n", program + " --help");
    }

    private static String shorten(final String value)
    {
        final int longest = 26;
        return value.length() <= longest ? value : value.substring(0, longest - 3) + "...";
    }
}
