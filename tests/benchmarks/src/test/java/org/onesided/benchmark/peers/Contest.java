package org.onesided.benchmark.peers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One operation that several systems do in turn, on the same records in the same order. Not thread-safe.
 */
final class Contest
{
    private final String title;
    private final String command;
    private final int millis;
    private final boolean isWanted;
    private final Map<String, WorkerProcess> workers = new LinkedHashMap<>();
    private final Map<String, Series> results = new LinkedHashMap<>();

    /**
     * @param title    of the operation.
     * @param command  of the workers, without seed and length.
     * @param millis   that each worker takes in each round.
     * @param isWanted whether it is to take place at all.
     */
    Contest(final String title, final String command, final int millis, final boolean isWanted)
    {
        this.title = title;
        this.command = command;
        this.millis = millis;
        this.isWanted = isWanted;
    }

    /** Adds a system, unless its worker is null since it is missing here. */
    Contest with(final String system, final WorkerProcess worker)
    {
        if (isWanted && worker != null)
        {
            workers.put(system, worker);
            results.put(system, new Series(title + ": " + system, "ns"));
        }
        return this;
    }

    Collection<Series> results()
    {
        return results.values();
    }

    /**
     * @return what a system showed, or null if it is missing here.
     */
    Series of(final String system)
    {
        return results.get(system);
    }

    void warmUp(final int warmUpMillis) throws IOException
    {
        for (final WorkerProcess worker : workers.values())
        {
            worker.tell(line(0, warmUpMillis));
        }
    }

    /**
     * Lets each system do the operation once.
     *
     * @param round from 0; whoever begins in one round ends the next.
     * @throws IOException if a worker fails.
     */
    void round(final int round) throws IOException
    {
        final List<String> order = new ArrayList<>(workers.keySet());
        if (round % 2 == 1)
        {
            Collections.reverse(order);
        }
        for (final String system : order)
        {
            results.get(system).add(workers.get(system).tell(line(round + 1, millis)));
        }
    }

    private String line(final int seed, final int length)
    {
        return "measure " + command + " seed=" + seed + " millis=" + length;
    }
}
