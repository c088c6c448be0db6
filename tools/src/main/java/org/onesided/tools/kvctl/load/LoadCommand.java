package org.onesided.tools.kvctl.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.exceptions.StoreException;
import org.onesided.tools.kvctl.command.ClientCommand;
import org.onesided.tools.kvctl.command.Failures;
import org.onesided.tools.kvctl.command.OutputOption;
import org.onesided.tools.kvctl.console.Arguments;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.FileMessages;
import org.onesided.tools.kvctl.console.OutputFile;
import org.onesided.tools.kvctl.console.StopHook;
import org.onesided.tools.kvctl.console.WaitNotice;
import org.onesided.tools.load.output.FailureCount;
import org.onesided.tools.load.output.HistogramLog;
import org.onesided.tools.load.output.PhaseResult;
import org.onesided.tools.load.output.ProgressLine;
import org.onesided.tools.load.output.ResultJson;
import org.onesided.tools.load.output.ResultTable;
import org.onesided.tools.load.output.RunResult;
import org.onesided.tools.load.output.YcsbLines;
import org.onesided.tools.load.report.Comparison;
import org.onesided.tools.load.report.ReportRun;
import org.onesided.tools.load.run.ClientProcessException;
import org.onesided.tools.load.run.ClientServant;
import org.onesided.tools.load.run.LoadRun;
import org.onesided.tools.load.run.MapAccess;
import org.onesided.tools.load.run.RunPlan;
import org.onesided.tools.load.run.ServerAccess;
import org.onesided.tools.load.run.StoreAccess;
import org.onesided.tools.load.workload.WorkloadSetting;
import org.onesided.tools.machine.LocalServer;
import org.onesided.tools.text.Amounts;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/**
 * {@code kvctl load}.
 */
@Command(
    name = "load",
    description = "Run a workload of YCSB, verify the values, and measure throughput and latencies.",
    subcommands = LoadCompareCommand.class,
    footer = {
        "",
        "Values that kvctl load wrote are verified: it reports values that were never written, belong to another " +
            "key, are older than one seen before, or are lost. With --target, latencies count from the intended " +
            "start of an operation. Ctrl-C ends the run with the results so far and exit code 130.",
        "",
        "Examples:",
        "  kvctl load --workload b --threads 4 --duration 30s --report b.html",
        "  kvctl load -P workloads/workloada --target 50000 -o json > a.json",
    })
public final class LoadCommand extends ClientCommand
{
    private static final String CLIENT_OPTION = "--as-client";

    /** Forms of the result. */
    enum Output
    {
        /** A line per figure, as in {@code kvctl load compare}. */
        PLAIN,
        /** For people. */
        TABLE,
        /** For programs. */
        JSON,
        /** For readers of YCSB's output. */
        YCSB;

        /** The name on the command line. */
        @Override
        public String toString()
        {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Targets of the load. */
    enum Kind
    {
        /** The server. */
        SERVER,
        /** A map in this process, to measure the load generator itself. */
        MAP;

        /** The name on the command line. */
        @Override
        public String toString()
        {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final PropertyOptions numbers = new PropertyOptions();

    @Mixin
    private final CommandSpec numberOptions = numbers.spec();

    @ArgGroup(validate = false, heading = "%nWorkload and run:%n")
    private WorkloadOptions options = new WorkloadOptions();

    @Option(
        names = {"-o", OutputOption.NAME},
        paramLabel = "plain|table|json|ycsb",
        description = "Form of the result; else KVCTL_OUTPUT, else table.")
    private Output output = Output.TABLE;

    @Option(
        names = "--hlog",
        paramLabel = "FILE",
        description = "File for the histograms, second by second, in HdrHistogram's log format.")
    private String histogramFile;

    @Option(names = "--report", paramLabel = "FILE", description = "File for a page with charts, HTML.")
    private String reportFile;

    @Option(
        names = "--store",
        paramLabel = "server|map",
        description = "map: a map in this process instead of the server, to measure the limit of this command itself.")
    private Kind kind = Kind.SERVER;

    @Option(names = CLIENT_OPTION, paramLabel = "NUMBER:SEED", hidden = true)
    private String client;

    @Override
    protected ExitCode run() throws IOException
    {
        final RunPlan plan = plan();
        final StopHook stop = StopHook.interrupting();
        try
        {
            if (client != null)
            {
                return serve(plan);
            }
            final ReportFile report = ReportFile.of(reportFile);
            if (histogramFile != null)
            {
                ReportFile.requireWritable(histogramFile);
            }
            final HistogramLog log = histogramFile == null ? null : new HistogramLog();
            final RunResult result;
            try (LoadRun run = open(plan, log))
            {
                result = run.run(version(), command());
            }
            // An interrupt must not prevent writing the result.
            Thread.interrupted();
            tellInterruption(result);
            final boolean isWritten = writeFiles(result, report, log);
            write(result);
            final ExitCode exitCode = exitCode(plan, result);
            return exitCode == ExitCode.DONE && !isWritten ? ExitCode.FAILED : exitCode;
        }
        catch (final ClientProcessException e)
        {
            final boolean isTold = e.exitCode() > 0 && e.exitCode() < ExitCode.values().length;
            throw new CommandException(
                isTold ? ExitCode.values()[e.exitCode()] : ExitCode.FAILED, e.getMessage(), e);
        }
        finally
        {
            stop.close();
        }
    }

    private RunPlan plan()
    {
        try
        {
            final RunPlan plan = options.plan(numbers);
            if (client != null)
            {
                final long seed = Long.parseLong(client.substring(client.indexOf(':') + 1));
                return plan.withSeed(seed);
            }
            if (!options.withoutEffect().isEmpty())
            {
                tell("properties without effect here: " + String.join(", ", options.withoutEffect()));
            }
            return plan;
        }
        catch (final IllegalArgumentException e)
        {
            throw new CommandException(ExitCode.USAGE, e.getMessage(), e);
        }
    }

    private LoadRun open(final RunPlan plan, final HistogramLog log) throws IOException
    {
        final ProgressLine progress = new ProgressLine(surroundings().err(), surroundings().errIsTerminal());
        if (plan.clients() > 1)
        {
            return LoadRun.inOtherProcesses(plan, clients(plan), LocalServer::processorTimeNs, progress, log);
        }
        if (kind == Kind.MAP && plan.workload().ttlMs() > 0)
        {
            throw new CommandException(ExitCode.USAGE, "in a map no key expires, use a server or leave " +
                WorkloadSetting.TTL.option() + " out: " + WorkloadSetting.TTL.option() + '=' +
                plan.workload().ttlMs() + "ms");
        }
        final StoreAccess store = kind == Kind.MAP ? new MapAccess() : server(plan);
        return LoadRun.inThisProcess(plan, store, LocalServer::processorTimeNs, progress, log);
    }

    /** In a cluster, each thread may want a session of each partition. */
    private StoreAccess server(final RunPlan plan)
    {
        final int sessions = Math.max(StoreClientBuilder.DEFAULT_MAX_SESSIONS, plan.threads());
        return new ServerAccess(connect(sessions).client(), plan.workload().ttlMs());
    }

    /** The command lines that start this command once for each client. */
    private List<List<String>> clients(final RunPlan plan) throws IOException
    {
        if (kind == Kind.MAP)
        {
            throw new CommandException(ExitCode.USAGE,
                "a map in a process cannot serve other processes, use one client or a server: clients=" +
                    plan.clients());
        }
        final List<String> arguments = arguments();
        final List<List<String>> commands = new ArrayList<>();
        for (int i = 0; i < plan.clients(); i++)
        {
            final List<String> command = new ArrayList<>(Arguments.program(arguments.size()));
            command.addAll(arguments);
            command.add(CLIENT_OPTION + '=' + i + ':' + plan.seed());
            commands.add(command);
        }
        return commands;
    }

    /** Runs as a client process of the process that started this one. */
    private ExitCode serve(final RunPlan plan)
    {
        final PrintStream out = new PrintStream(surroundings().out(), true, UTF_8);
        try
        {
            final int number = Integer.parseInt(client.substring(0, client.indexOf(':')));
            ClientServant.serve(plan, server(plan), number, surroundings().in(), out);
            return ExitCode.DONE;
        }
        catch (final StoreException e)
        {
            ClientServant.fail(e.getMessage(), out);
            return Failures.exitCode(e);
        }
        catch (final CommandException e)
        {
            ClientServant.fail(e.getMessage(), out);
            return e.exitCode();
        }
    }

    private List<String> command()
    {
        final List<String> command = new ArrayList<>(List.of("kvctl"));
        command.addAll(arguments());
        return command;
    }

    private void tellInterruption(final RunResult result)
    {
        if (result.phases().stream().anyMatch(phase -> phase.ending() == PhaseResult.Ending.INTERRUPTED))
        {
            tell("interrupted; the result is that of the time until then");
        }
    }

    /**
     * Writes files before standard output, whose reader may be gone. A failure of one file does not affect the other.
     */
    private boolean writeFiles(final RunResult result, final ReportFile report, final HistogramLog log)
    {
        if (log == null && report == null)
        {
            return true;
        }
        return WaitNotice.during(surroundings(), "writing", () ->
        {
            final boolean isLogWritten = log == null || tryWrite(() -> writeLog(result, log));
            return (report == null || tryWrite(() -> report.write(List.of(ReportRun.of("", result)), this::tell))) &&
                isLogWritten;
        });
    }

    /** Reports the failure at once: an ending process would hide an exception. */
    private boolean tryWrite(final Runnable writing)
    {
        try
        {
            writing.run();
            return true;
        }
        catch (final CommandException e)
        {
            tell(e.getMessage());
            return false;
        }
    }

    private void write(final RunResult result) throws IOException
    {
        final OutputStream out = output();
        switch (output)
        {
            case PLAIN -> out.write(Comparison.of(List.of(ReportRun.of("", result))).plain().getBytes(UTF_8));
            case TABLE -> out.write(ResultTable.of(result).getBytes(UTF_8));
            case JSON -> ResultJson.write(result, out);
            case YCSB -> out.write(YcsbLines.of(result).getBytes(UTF_8));
        }
        out.flush();
    }

    private void writeLog(final RunResult result, final HistogramLog log)
    {
        try (OutputFile file = OutputFile.create(histogramFile))
        {
            if (!log.write(String.join(" ", result.command()), file.stream()))
            {
                throw new IOException("not all of it could be written");
            }
            file.complete();
        }
        catch (final IOException e)
        {
            throw FileMessages.cannotWrite(histogramFile, e);
        }
    }

    private ExitCode exitCode(final RunPlan plan, final RunResult result)
    {
        long failed = 0;
        long faults = 0;
        final Set<String> kinds = new HashSet<>();
        for (final PhaseResult phase : result.phases())
        {
            failed += phase.failed();
            faults += phase.verification().faultCount();
            phase.failures().stream().map(FailureCount::kind).forEach(kinds::add);
        }
        final boolean isEndedEarly =
            result.phases().stream().anyMatch(phase -> phase.ending() == PhaseResult.Ending.FAILED);
        result.phases().forEach(phase -> phase.notes().forEach(this::tell));
        if (failed == 0 && faults == 0)
        {
            return isEndedEarly ? ExitCode.FAILED : ExitCode.DONE;
        }
        final boolean isStorageFailed = kinds.contains("storage-failed");
        final boolean isFull = kinds.contains("store-full");
        final boolean isNotLoaded = !plan.phases().hasLoad() && kinds.contains("not-found");
        tell(Amounts.count(failed, "operation") + " failed" +
            (faults == 0 ? "" : ", " + Amounts.count(faults, "answer") + " with faults") +
            (isStorageFailed ? "; the server's disk is full or has failed, its log says which" :
                isFull ? "; the store is full, have a larger one (kvctl server --memory) or fewer records" :
                isNotLoaded ? "; keys that are looked up must have been put, by --phase load with as many --records" :
                    ""));
        return isStorageFailed ? ExitCode.STORAGE_FAILED : isFull ? ExitCode.STORE_FULL : ExitCode.FAILED;
    }
}
