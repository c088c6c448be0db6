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
                "%,d writes of unknown fate; seed %d: %s",
            settings.device(), operations, runSeconds, checkSeconds, full, reconnects, unknown, settings.seed(),
            isGood() ? "linearizable" : "NOT LINEARIZABLE, OR WORSE"));
        findings.forEach(finding -> text.append('\n').append(finding));
        return text.toString();
    }
}
