package org.onesided.tools.kvctl.console;

import java.io.PrintStream;
import org.onesided.tools.text.Amounts;
import org.onesided.tools.text.TerminalLine;

/**
 * Shows the progress of a long command on a terminal: a bar if the end is known, else a count. Shows nothing elsewhere.
 * Thread-safe.
 */
public final class ProgressBar implements AutoCloseable
{
    private static final long INTERVAL_NS = 100_000_000;

    private final PrintStream err;
    private final TerminalLine line;
    private final String verb;
    private final long length;
    private final long startNs = System.nanoTime();
    private long shownNs = startNs;
    private boolean isOver;

    /**
     * @param err        standard error.
     * @param isTerminal whether to show anything.
     * @param verb       what the command does.
     * @param length     of the input in bytes, or number of steps; -1 if it is not known.
     */
    public ProgressBar(final PrintStream err, final boolean isTerminal, final String verb, final long length)
    {
        this.err = err;
        line = new TerminalLine(err, isTerminal);
        this.verb = verb;
        this.length = length;
    }

    /**
     * Shows the progress within a file.
     *
     * @param bytes done so far.
     * @param pairs done so far.
     */
    public synchronized void update(final long bytes, final long pairs)
    {
        if (tryTakeTurn())
        {
            line.show(line(bytes, pairs, (shownNs - startNs) / 1e9));
        }
    }

    /**
     * Shows the number of steps done.
     *
     * @param done steps so far.
     */
    public synchronized void step(final long done)
    {
        if (tryTakeTurn())
        {
            line.show(bar(done) + Amounts.count(done) + (length < 0 ? "" : " of " + Amounts.count(length)));
        }
    }

    /** Whether the bar may be shown now, which happens at most once per interval. */
    private boolean tryTakeTurn()
    {
        if (!line.isTerminal() || isOver)
        {
            return false;
        }
        final long nowNs = System.nanoTime();
        if (nowNs - shownNs < INTERVAL_NS)
        {
            return false;
        }
        shownNs = nowNs;
        return true;
    }

    String line(final long bytes, final long pairs, final double seconds)
    {
        return bar(bytes) + Amounts.count(pairs, "pair") + ", " + Amounts.size((long)(bytes / seconds)) + "/s";
    }

    private String bar(final long done)
    {
        return verb + " " + (length <= 0 ? "" : TerminalLine.bar((double)done / length) + " ");
    }

    /** Erases the bar, so that a line can be printed in its place. */
    public synchronized void clear()
    {
        line.erase();
    }

    /**
     * Leaves a line in its place, and shows nothing more.
     *
     * @param lastLine to leave.
     */
    public synchronized void end(final String lastLine)
    {
        clear();
        isOver = true;
        err.println(lastLine);
    }

    @Override
    public void close()
    {
        clear();
    }
}
