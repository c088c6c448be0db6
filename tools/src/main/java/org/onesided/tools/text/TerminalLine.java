package org.onesided.tools.text;

import java.io.PrintStream;
import java.util.Locale;

/**
 * A line on a terminal that is redrawn in place. Draws nothing elsewhere. Not thread-safe.
 */
public final class TerminalLine
{
    private static final String ERASE = "\r\u001B[K";
    private static final int BAR_WIDTH = 20;

    private final PrintStream out;
    private final boolean isTerminal;
    private boolean isShown;

    /**
     * @param out        to draw on.
     * @param isTerminal whether to draw.
     */
    public TerminalLine(final PrintStream out, final boolean isTerminal)
    {
        this.out = out;
        this.isTerminal = isTerminal;
    }

    /**
     * @return whether lines are drawn.
     */
    public boolean isTerminal()
    {
        return isTerminal;
    }

    /**
     * Draws a line in place of the previous one.
     *
     * @param line without a line end.
     */
    public void show(final String line)
    {
        if (isTerminal)
        {
            out.print(ERASE + line);
            out.flush();
            isShown = true;
        }
    }

    /**
     * Erases the line, so that something else can be printed in its place.
     */
    public void erase()
    {
        if (isShown)
        {
            out.print(ERASE);
            out.flush();
            isShown = false;
        }
    }

    /**
     * @param share that is done, 0 to 1; values beyond are cut off.
     * @return a bar and its percentage.
     */
    public static String bar(final double share)
    {
        final double part = Math.max(0, Math.min(1, share));
        final int filled = (int)(part * BAR_WIDTH);
        return String.format(
            Locale.ROOT, "[%s%s] %3.0f %%", "#".repeat(filled), "-".repeat(BAR_WIDTH - filled), part * 100);
    }
}
