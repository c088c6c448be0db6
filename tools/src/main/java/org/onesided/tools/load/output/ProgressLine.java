package org.onesided.tools.load.output;

import java.io.PrintStream;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.onesided.tools.text.Amounts;
import org.onesided.tools.text.TerminalLine;

/**
 * A line on a terminal with the progress of a run; shows nothing elsewhere. Not thread-safe.
 */
public final class ProgressLine
{
    private final TerminalLine line;

    /**
     * @param err        standard error.
     * @param isTerminal whether to show anything.
     */
    public ProgressLine(final PrintStream err, final boolean isTerminal)
    {
        line = new TerminalLine(err, isTerminal);
    }

    /**
     * Replaces the line.
     *
     * @param text without a line end.
     */
    public void show(final String text)
    {
        line.show(text);
    }

    /**
     * Shows the progress of a phase.
     *
     * @param phase     its name.
     * @param elapsedMs since it began, in milliseconds.
     * @param share     fraction that is done, up to 1; negative if unknown.
     * @param perSecond operations of the latest interval.
     * @param latency   of these.
     * @param failed    operations of it that failed.
     */
    public void show(
        final String phase,
        final long elapsedMs,
        final double share,
        final double perSecond,
        final Histogram latency,
        final long failed)
    {
        final StringBuilder text = new StringBuilder(phase);
        if (share >= 0)
        {
            text.append(' ').append(TerminalLine.bar(share));
        }
        text.append(String.format(Locale.ROOT, " %.0f s, ", elapsedMs / 1e3))
            .append(Amounts.count(Math.round(perSecond))).append(" ops/s, p99 ")
            .append(Latencies.text(LatencySummary.valueAt(latency, 99)));
        if (failed > 0)
        {
            text.append(", ").append(Amounts.count(failed)).append(" failed");
        }
        line.show(text.toString());
    }

    /** Erases the line. */
    public void clear()
    {
        line.erase();
    }
}
