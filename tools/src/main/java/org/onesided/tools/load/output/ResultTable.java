package org.onesided.tools.load.output;

import java.time.Duration;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.onesided.tools.settings.LifeTime;
import org.onesided.tools.text.Amounts;
import org.onesided.tools.text.Table;

/**
 * A result as a table for people.
 */
public final class ResultTable
{
    /** The kernel counts processor time in steps of 10 ms. */
    private static final long LEAST_CPU_NS = 1_000_000_000;

    /** The fraction of a target that counts as reached. */
    private static final double REACHED = 0.99;

    private static final double WHOLE_RATE = 100;

    private final StringBuilder text = new StringBuilder();

    private ResultTable()
    {
    }

    /**
     * @param result of a run.
     * @return lines with the operations, their rates and their failures.
     */
    public static String of(final RunResult result)
    {
        final ResultTable table = new ResultTable();
        table.head(result);
        for (final PhaseResult phase : result.phases())
        {
            table.text.append('\n');
            table.phase(phase, result.settings());
        }
        return table.text.toString();
    }

    private void head(final RunResult result)
    {
        final Settings settings = result.settings();
        final StoreFacts store = result.store();
        text.append("workload ").append(settings.workload()).append(": ");
        String gap = "";
        for (final var part : settings.mix().entrySet())
        {
            text.append(gap).append(percent(part.getValue())).append(' ').append(part.getKey());
            gap = ", ";
        }
        text.append(", ").append(settings.distribution()).append('\n');
        if (isByVersion(settings))
        {
            text.append("read-modify-writes by version, ")
                .append("retry".equals(settings.readModifyWrite()) ? "again" : "given up")
                .append(" after a conflict\n");
        }
        if (settings.ttlMs() > 0)
        {
            text.append("keys live for ").append(LifeTime.text(Duration.ofMillis(settings.ttlMs()))).append('\n');
        }
        text.append(Amounts.count(settings.records(), "record")).append(" of ")
            .append(Amounts.count(settings.valueLength(), "byte")).append("; ");
        if (settings.clients() > 1)
        {
            text.append(Amounts.count(settings.clients(), "client")).append(" of ");
        }
        text.append(Amounts.count(settings.threads(), "thread")).append("; ");
        text.append("server".equals(store.kind()) ? "server " + store.address() + ", " + store.device() :
            "a map in this process").append('\n');
    }

    private void phase(final PhaseResult phase, final Settings settings)
    {
        text.append(String.format(Locale.ROOT, "%s: %s in %.2f s, %s/s%s%s%n",
            phase.name(),
            Amounts.count(phase.ended(), "operation"),
            phase.elapsedNs() / 1e9,
            Amounts.count(Math.round(phase.throughput())),
            parts(phase),
            phase.ending() == PhaseResult.Ending.INTERRUPTED ? " (interrupted)" :
                phase.ending() == PhaseResult.Ending.FAILED ? " (ended by a failure)" : ""));
        final Table table = new Table("operation", "count", "mean", "50 %", "95 %", "99 %", "99.9 %", "max");
        for (final OperationResult operation : phase.operations())
        {
            if (operation.intended() == null)
            {
                row(table, operation.operation(), operation.service());
            }
            else
            {
                row(table, operation.operation() + " intended", operation.intended());
                row(table, operation.operation() + " service", operation.service());
            }
            if (operation.failed().getTotalCount() > 0)
            {
                row(table, "  failed", operation.failed());
            }
        }
        text.append(table.isEmpty() ? "" : table.toString());
        target(phase, settings);
        if (phase.behind() > 0)
        {
            line("behind", Amounts.count(phase.behind(), "operation") + " of the target did not start in time");
        }
        for (final FailureCount failure : phase.failures())
        {
            line("failed", Amounts.count(failure.count()) + " " + failure.operation() + " " + failure.kind() + ": " +
                failure.example());
        }
        if ("run".equals(phase.name()) && isByVersion(settings))
        {
            line("conflicts", Amounts.count(phase.conflicts().puts()));
        }
        verification(phase, settings);
        if (phase.client().misses() > 0)
        {
            line("misses", Amounts.count(phase.client().misses(), "lookup") + " found no key, " + String.format(
                Locale.ROOT, "%.1f %%", 100.0 * phase.client().misses() / phase.client().gets()));
        }
        numbers(phase);
        phase.notes().forEach(note -> line("note", note));
    }

    /** Whether there are read-modify-writes, and these by version. */
    private static boolean isByVersion(final Settings settings)
    {
        return settings.mix().containsKey("READ-MODIFY-WRITE") && !"plain".equals(settings.readModifyWrite());
    }

    /** Shown if not all operations were done. */
    private static String parts(final PhaseResult phase)
    {
        final long givenUp = phase.conflicts().givenUp();
        return phase.failed() == 0 && givenUp == 0 ? "" : " (" + Amounts.count(phase.done()) + " done" +
            (phase.failed() == 0 ? "" : ", " + Amounts.count(phase.failed()) + " failed") +
            (givenUp == 0 ? "" : ", " + Amounts.count(givenUp) + " given up") + ")";
    }

    /** Shown if the target was missed. */
    private void target(final PhaseResult phase, final Settings settings)
    {
        final double reached = phase.elapsedNs() == 0 ? 0 : phase.ended() * 1e9 / phase.elapsedNs();
        if ("run".equals(phase.name()) && reached < settings.target() * REACHED)
        {
            line("target", rate(settings.target()) + ", reached " + rate(reached));
        }
    }

    private static String rate(final double perSecond)
    {
        return perSecond < WHOLE_RATE ? String.format(Locale.ROOT, "%.2f/s", perSecond) :
            Amounts.count(Math.round(perSecond)) + "/s";
    }

    private void verification(final PhaseResult phase, final Settings settings)
    {
        if (phase.verification().faultCount() > 0)
        {
            for (final Verification.FaultCount fault : phase.verification().faults())
            {
                line("WRONG", Amounts.count(fault.count()) + " " + fault.kind() + ": " + fault.example());
            }
        }
        else if (settings.verified() && phase.verification().verified() > 0)
        {
            line("verified", Amounts.count(phase.verification().verified(), "value") + ", all right");
        }
        else if ("run".equals(phase.name()) && !settings.verified())
        {
            line("verified", "nothing");
        }
    }

    private void numbers(final PhaseResult phase)
    {
        final ClientTotals client = phase.client();
        if (client.gets() > 0)
        {
            line("READs", String.format(Locale.ROOT, "%.3f per lookup; %s done again; %s by request",
                phase.readsPerGet(), Amounts.count(client.retries()), Amounts.count(client.rpcGets())));
        }
        if (client.reconnects() > 0)
        {
            line("reconnects", Amounts.count(client.reconnects()));
        }
        if (phase.elapsedNs() < LEAST_CPU_NS)
        {
            line("processors", "too short to measure, below a second");
        }
        else if (phase.clientCpuNs() >= 0)
        {
            final String server = phase.serverCpuNs() < 0 ? "" :
                percent((double)phase.serverCpuNs() / phase.elapsedNs()) + " of a core at the server, ";
            line("processors", server + percent((double)phase.clientCpuNs() / phase.elapsedNs()) + " at the client");
        }
    }

    private static void row(final Table table, final String name, final Histogram histogram)
    {
        final boolean isEmpty = histogram.getTotalCount() == 0;
        table.row(
            name,
            Amounts.count(histogram.getTotalCount()),
            isEmpty ? "" : Latencies.text(histogram.getMean()),
            at(histogram, 50),
            at(histogram, 95),
            at(histogram, 99),
            at(histogram, 99.9),
            isEmpty ? "" : Latencies.text(histogram.getMaxValue()));
    }

    private static String at(final Histogram histogram, final double percentile)
    {
        return histogram.getTotalCount() == 0 ? "" :
            Latencies.text(LatencySummary.valueAt(histogram, percentile));
    }

    private static String percent(final double part)
    {
        return String.format(Locale.ROOT, part * 100 == Math.rint(part * 100) ? "%.0f %%" : "%.1f %%", part * 100);
    }

    private void line(final String name, final String what)
    {
        text.append(String.format(Locale.ROOT, "%-11s %s%n", name, what));
    }
}
