package org.onesided.linearizability;

import java.util.List;

/**
 * What a run found.
 *
 * @param settings   of the run.
 * @param operations recorded and checked.
 * @param unknown    writes of unknown fate.
 * @param full       operations refused since the store was full.
 * @param reconnects of sessions.
 * @param faults     injected: stops of the server, cut connections, and those of the device.
 * @param tornReads  of records, whose check word did not fit, so that clients did not believe them.
 * @param runSeconds that clients worked.
 * @param checkSeconds that checking took.
 * @param findings   violations and whatever else must not be, as text; none if all is well.
 */
record RunResult(
    RunSettings settings,
    long operations,
    long unknown,
    long full,
    long reconnects,
    long faults,
    long tornReads,
    double runSeconds,
    double checkSeconds,
    List<String> findings)
{
    boolean isGood()
    {
        return findings.isEmpty();
    }

    /** In a line, and what was found in those after it. */
    String text()
    {
        final StringBuilder text = new StringBuilder(String.format(
            "%s: %,d operations in %.1f s, checked in %.1f s; %,d refused since the store was full, %,d reconnects, " +
                "%,d writes of unknown fate; %,d faults injected, %,d torn READs caught; seed %d: %s",
            settings.device(), operations, runSeconds, checkSeconds, full, reconnects, unknown, faults, tornReads,
            settings.seed(),
            isGood() ? "linearizable" : "NOT LINEARIZABLE, OR WORSE"));
        findings.forEach(finding -> text.append('\n').append(finding));
        return text.toString();
    }
}
