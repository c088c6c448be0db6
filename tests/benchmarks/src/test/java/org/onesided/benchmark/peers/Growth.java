package org.onesided.benchmark.peers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.onesided.testing.ServerProcess;

/**
 * How the time of a GET grows with the number of records, beside how that of a plain copy does.
 */
final class Growth
{
    private static final long FEW = 100_000;
    private static final double TARGET = 1.5;
    private static final String OURS = "onesided";
    private static final String COPY = "plain copy";
    /** Enough for the whole index. */
    private static final long MIRROR = 1L << 30;

    private final Results results;
    private final Settings settings;
    private final long largest;

    /**
     * @param many records, beside {@link #FEW}.
     */
    Growth(final Results results, final Settings settings, final long many)
    {
        largest = many;
        this.results = results;
        this.settings = settings;
    }

    void run(final Lab lab) throws IOException
    {
        final Contest few = contest(lab, FEW);
        final Contest many = contest(lab, largest);
        for (final Contest contest : List.of(few, many))
        {
            contest.warmUp(settings.warmUpMillis());
        }
        for (int round = 0; round < settings.rounds(); round++)
        {
            few.round(round);
            many.round(round);
        }
        results.add(few.results());
        results.add(many.results());
        final Series ours = growth(OURS, few, many);
        final Series copy = growth(COPY, few, many);
        results.compare(
            String.format(
                Locale.ROOT, "growth of GET / growth of plain copy, from %,d to %,d records", FEW, largest),
            ours, copy, TARGET);
    }

    private Contest contest(final Lab lab, final long records) throws IOException
    {
        final ServerProcess server = Systems.server(lab, records, Settings.VALUE_LENGTH);
        final WorkerProcess ours = lab.own(
            StoreSubject.class, "server=" + server.address(), "waiting=spinning", "mirror=" + MIRROR);
        final WorkerProcess copy = lab.own(CopySubject.class);
        for (final WorkerProcess worker : List.of(ours, copy))
        {
            worker.tell(Systems.load(records, Settings.VALUE_LENGTH));
        }
        final String title = String.format(Locale.ROOT, "GET of %,d records", records);
        return new Contest(title, "operation=get batch=16", settings.millis(), true)
            .with(OURS, ours).with(COPY, copy);
    }

    private static Series growth(final String system, final Contest few, final Contest many)
    {
        final Series growth = new Series("growth: " + system, "");
        final List<Double> before = new ArrayList<>(few.of(system).values());
        for (int i = 0; i < before.size(); i++)
        {
            growth.add(many.of(system).values().get(i) / before.get(i));
        }
        return growth;
    }
}
