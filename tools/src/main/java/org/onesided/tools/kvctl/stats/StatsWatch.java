package org.onesided.tools.kvctl.stats;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import org.onesided.client.StoreClient;
import org.onesided.tools.kvctl.console.OutputForm;
import org.onesided.tools.kvctl.console.StopHook;

/**
 * Shows the rates of a server repeatedly, until the process is told to stop.
 */
final class StatsWatch
{
    private static final String CURSOR_UP = "\u001B[%dA";
    private static final String ERASE_LINE_REST = "\u001B[K";

    private final StoreClient client;
    private final OutputStream output;
    private final OutputForm form;
    private final boolean isTerminal;
    private final long intervalNs;
    private int linesShown;

    /**
     * @param isTerminal whether to redraw in place; otherwise each interval prints a line or an object.
     */
    StatsWatch(
        final StoreClient client,
        final OutputStream output,
        final OutputForm form,
        final boolean isTerminal,
        final long intervalNs)
    {
        this.client = client;
        this.output = output;
        this.form = form;
        this.isTerminal = isTerminal;
        this.intervalNs = intervalNs;
    }

    /** Ends in order when told to stop or interrupted, as by Ctrl-C in the shell. */
    void run(final StopHook stop) throws IOException
    {
        if (!isDrawn() && form == OutputForm.TABLE)
        {
            write("time     " + StatsRates.head() + "\n");
        }
        StatsRates.Look before = look();
        try
        {
            while (!stop.await(intervalNs))
            {
                final StatsRates.Look now = look();
                show(StatsRates.between(before, now));
                before = now;
            }
        }
        catch (final InterruptedException e)
        {
            // Only the command was told to stop; the shell continues.
            return;
        }
    }

    private StatsRates.Look look()
    {
        return new StatsRates.Look(System.nanoTime(), client.statistics(), client.reportedStatistics());
    }

    private boolean isDrawn()
    {
        return isTerminal && form == OutputForm.TABLE;
    }

    private void show(final StatsRates rates) throws IOException
    {
        final LocalTime now = LocalTime.now().truncatedTo(ChronoUnit.SECONDS);
        switch (form)
        {
            case JSON -> write(rates.figures().json() + "\n");
            case PLAIN -> write(rates.figures().plain() + "\n");
            default ->
            {
                if (isTerminal)
                {
                    draw(rates, now);
                }
                else
                {
                    write(String.format("%tT ", now) + rates.line() + "\n");
                }
            }
        }
    }

    private void draw(final StatsRates rates, final LocalTime now) throws IOException
    {
        final StringBuilder text = new StringBuilder();
        if (linesShown > 0)
        {
            text.append(String.format(CURSOR_UP, linesShown));
        }
        text.append(String.format("%s at %tT, Ctrl-C ends", client.server().address(), now))
            .append(ERASE_LINE_REST).append('\n');
        for (final String line : rates.lines())
        {
            text.append(line).append(ERASE_LINE_REST).append('\n');
        }
        linesShown = rates.lines().size() + 1;
        write(text.toString());
    }

    private void write(final String text) throws IOException
    {
        output.write(text.getBytes(UTF_8));
    }
}
