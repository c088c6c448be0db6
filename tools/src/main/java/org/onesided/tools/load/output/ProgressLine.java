package org.onesided.tools.load.output;

import java.io.PrintStream;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.onesided.tools.text.Amounts;

/**
 * A line on a terminal with the progress of a run; shows nothing elsewhere. Not thread-safe.
 */
public final class ProgressLine
{
    private static final String ERASE_LINE = "\r\u001B[K";
    private static final int WIDTH = 20;

    private final PrintStream err;
    private final boolean isTerminal;
    private boolean isShown;

    /**
     * @param err        standard error.
     * @param isTerminal whether to show anything.
     */
    public ProgressLine(final PrintStream err, final boolean isTerminal)
    {
        this.err = err;
        this.isTerminal = isTerminal;
    }

    /**
     * Replaces the line.
     *
     * @param line without a line end.
     */
    public void show(final String line)
    {
        if (isTerminal)
        {
            err.print(ERASE_LINE + line);
            err.flush();
            isShown = true;
        }
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
        final StringBuilder line = new StringBuilder(phase);
        if (share >= 0)
        {
            final double part = Math.min(1, share);
            final int filled = (int)(part * WIDTH);
            line.append(" [").append("#".repeat(filled)).append("-".repeat(WIDTH - filled)).append(']')
                .append(String.format(Locale.ROOT, " %3.0f %%", part * 100));
        }
        line.append(String.format(Locale.ROOT, " %.0f s, ", elapsedMs / 1e3))
            .append(Amounts.count(Math.round(perSecond))).append(" ops/s, p99 ")
            .append(Latencies.text(LatencySummary.valueAt(latency, 99)));
        if (failed > 0)
        {
            line.append(", ").append(Amounts.count(failed)).append(" failed");
        }
        show(line.toString());
    }

    /** Erases the line. */
    public void clear()
    {
        if (isShown)
        {
            err.print(ERASE_LINE);
            err.flush();
            isShown = false;
        }
    }
}
