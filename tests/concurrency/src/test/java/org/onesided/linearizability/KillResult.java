package org.onesided.linearizability;

import java.util.List;

/**
 * What a run found that kills its server.
 *
 * @param settings   of the run.
 * @param kills      of the server.
 * @param early      of these, before it was ready.
 * @param operations recorded and checked.
 * @param requests   lookups by request.
 * @param scans      that passed all pairs.
 * @param unknown    writes of unknown fate.
 * @param full       operations refused since the store was full.
 * @param failed     operations of impatient clients that failed otherwise.
 * @param reconnects of sessions.
 * @param resumed    sessions that the server resumed, as far as its processes told before they were killed.
 * @param evicted    keys that left to make room, as the first and the last process of the server counted.
 * @param longValues puts of more than 1 MiB that took effect.
 * @param runSeconds that clients worked.
 * @param violations as text: what the clients saw was not linearizable.
 * @param failures   as text: whatever else must not be.
 */
record KillResult(
    KillSettings settings,
    int kills,
    int early,
    long operations,
    long requests,
    long scans,
    long unknown,
    long full,
    long failed,
    long reconnects,
    long resumed,
    long evicted,
    long longValues,
    double runSeconds,
    List<String> violations,
    List<String> failures)
{
    boolean isGood()
    {
        return violations.isEmpty() && failures.isEmpty();
    }

    /** In a line, and what was found in those after it. */
    String text()
    {
        final StringBuilder text = new StringBuilder(String.format(
            "%s: %,d operations in %.1f s, %,d lookups by request, %,d scans; sync %s; %d %s, %d of them before the " +
                "server was ready; " +
                "%,d reconnects, %,d sessions resumed; %,d keys evicted; %,d values of 1 MiB and more; " +
                "%,d writes of unknown fate, %,d operations failed by deadline, %,d refused since the store was " +
                "full; %d violations; seed %d: %s",
            settings.device(), operations, runSeconds, requests, scans, settings.sync(), kills,
            settings.plug() ? "power cuts" : "kills", early, reconnects, resumed, evicted,
            longValues, unknown, failed, full, violations.size(), settings.seed(),
            !violations.isEmpty() ? RunResult.NOT_LINEARIZABLE : !failures.isEmpty() ? RunResult.FAILED :
                "linearizable"));
        violations.forEach(violation -> text.append('\n').append(violation));
        failures.forEach(failure -> text.append('\n').append(failure));
        return text.toString();
    }
}
