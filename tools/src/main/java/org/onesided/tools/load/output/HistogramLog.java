package org.onesided.tools.load.output;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * The histograms of a run, second by second, in HdrHistogram's log format with a tag per phase and operation.
 * HdrHistogram's tools read it. Not thread-safe.
 */
public final class HistogramLog
{
    private static final double NS_PER_MS = 1e6;

    private final List<Histogram> histograms = new ArrayList<>();

    /**
     * Adds an interval of a phase.
     *
     * @param tag        names phase and operation.
     * @param phaseStart when the phase began.
     * @param startMs    of the interval, in milliseconds since then.
     * @param lengthMs   of the interval in milliseconds.
     * @param histogram  latencies in nanoseconds; not changed from now on.
     */
    public void add(
        final String tag,
        final Instant phaseStart,
        final long startMs,
        final long lengthMs,
        final Histogram histogram)
    {
        histogram.setTag(tag);
        histogram.setStartTimeStamp(phaseStart.toEpochMilli() + startMs);
        histogram.setEndTimeStamp(phaseStart.toEpochMilli() + startMs + lengthMs);
        histograms.add(histogram);
    }

    /**
     * Writes the log.
     *
     * @param comment at the beginning, such as the command.
     * @param out     destination; flushed, not closed.
     * @return whether everything was written.
     */
    public boolean write(final String comment, final OutputStream out)
    {
        final PrintStream stream = new PrintStream(out, false, StandardCharsets.UTF_8);
        final HistogramLogWriter writer = new HistogramLogWriter(stream);
        writer.outputComment("[" + comment.replace('\n', ' ') + "]");
        writer.outputComment("[Latencies in nanoseconds; the highest of each interval in milliseconds]");
        writer.outputLogFormatVersion();
        histograms.sort(Comparator.comparingLong(Histogram::getStartTimeStamp));
        final long base = histograms.isEmpty() ? 0 : histograms.get(0).getStartTimeStamp();
        writer.outputStartTime(base);
        writer.setBaseTime(base);
        writer.outputLegend();
        for (final Histogram histogram : histograms)
        {
            writer.outputIntervalHistogram(
                (histogram.getStartTimeStamp() - base) / 1e3,
                (histogram.getEndTimeStamp() - base) / 1e3,
                histogram,
                NS_PER_MS);
        }
        return !stream.checkError();
    }
}
