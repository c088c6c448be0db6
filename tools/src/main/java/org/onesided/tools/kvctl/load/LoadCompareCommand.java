package org.onesided.tools.kvctl.load;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.onesided.tools.kvctl.command.KvctlCommand;
import org.onesided.tools.kvctl.command.OutputOption;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.FileMessages;
import org.onesided.tools.kvctl.console.OutputForm;
import org.onesided.tools.kvctl.console.Text;
import org.onesided.tools.kvctl.console.WaitNotice;
import org.onesided.tools.load.report.Comparison;
import org.onesided.tools.load.report.ReportRun;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code kvctl load compare}.
 */
@Command(
    name = "compare",
    description = "Compare the results of load runs.",
    footer = {
        "",
        "The results are files from kvctl load -o json; the first is the baseline. The report is one self-contained " +
            "page for browsers. With a single result, it is the report of that run.",
        "",
        "Examples:",
        "  kvctl load compare before.json after.json",
        "  kvctl load compare before.json after.json --report report.html",
    })
final class LoadCompareCommand extends KvctlCommand
{
    /** Longer than any result: one of a week has some 50 MiB. */
    private static final int MAX_LENGTH = 256 << 20;

    @Parameters(paramLabel = "RESULT", arity = "1..*", description = "Files with results in JSON.")
    private List<String> files;

    @Mixin
    private OutputOption output;

    @Option(names = "--report", paramLabel = "FILE", description = "File for a page with charts, HTML.")
    private String reportFile;

    @Override
    protected ExitCode run() throws IOException
    {
        final ReportFile report = ReportFile.of(reportFile);
        print(WaitNotice.during(surroundings(), "comparing", () -> compare(report)));
        return ExitCode.DONE;
    }

    private String compare(final ReportFile report)
    {
        final List<ReportRun> runs = new ArrayList<>();
        final Set<String> labels = new HashSet<>();
        for (final String file : files)
        {
            runs.add(read(file, label(file, labels)));
        }
        final String text = text(runs);
        if (report != null)
        {
            report.write(runs, this::tell);
        }
        return text;
    }

    /** The name of the file, with a number if it occurs twice. */
    private static String label(final String file, final Set<String> labels)
    {
        String label = file;
        for (int i = 2; !labels.add(label); i++)
        {
            label = file + " (" + i + ")";
        }
        return label;
    }

    private static ReportRun read(final String file, final String label)
    {
        final byte[] json;
        try (InputStream input = Files.newInputStream(Path.of(file)))
        {
            json = input.readNBytes(MAX_LENGTH + 1);
        }
        catch (final IOException e)
        {
            throw FileMessages.cannotRead(file, e);
        }
        if (json.length > MAX_LENGTH)
        {
            throw new CommandException(
                ExitCode.FAILED, "too long for a result: file=" + file + " longest=" + MAX_LENGTH);
        }
        try
        {
            return ReportRun.parse(label, json);
        }
        catch (final IllegalArgumentException e)
        {
            throw new CommandException(ExitCode.FAILED, file + ": " + Text.oneLine(e.getMessage()), e);
        }
    }

    private String text(final List<ReportRun> runs)
    {
        final Comparison comparison;
        try
        {
            comparison = Comparison.of(runs);
        }
        catch (final IllegalArgumentException e)
        {
            throw new CommandException(ExitCode.FAILED, Text.oneLine(e.getMessage()), e);
        }
        return switch (output.or(OutputForm.TABLE))
        {
            case PLAIN -> comparison.plain();
            case TABLE -> comparison.table();
            case JSON -> comparison.json();
        };
    }
}
