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
 * @param requests   lookups by request.
 * @param scans      that passed all pairs.
 * @param indexReleased bytes of split buckets that went back to the system.
 * @param heapReleased bytes of heaps that did.
 * @param expired    keys whose time had come.
 * @param evicted    keys that left to make room.
 * @param runSeconds that clients worked.
 * @param checkSeconds that checking took.
 * @param violations as text: what the clients saw was not linearizable.
 * @param failures   as text: whatever else must not be, by which the run shows too little or another bug.
 */
record RunResult(
    RunSettings settings,
    long operations,
    long unknown,
    long full,
    long reconnects,
    long faults,
    long tornReads,
    long requests,
    long scans,
    long indexReleased,
    long heapReleased,
    long expired,
    long evicted,
    double runSeconds,
    double checkSeconds,
    List<String> violations,
    List<String> failures)
{
    /** What {@link #text} says of a run with violations, and of one with failures only. */
    static final String NOT_LINEARIZABLE = "NOT LINEARIZABLE";
    static final String FAILED = "FAILED";

    boolean isGood()
    {
        return violations.isEmpty() && failures.isEmpty();
    }

    /** In a line, and what was found in those after it. */
    String text()
    {
        final StringBuilder text = new StringBuilder(String.format(
            "%s: %,d operations in %.1f s, checked in %.1f s; %,d lookups by request, %,d scans; " +
                "%,d KiB of indexes and %,d KiB of heaps released; " +
                "%,d keys expired, %,d evicted; " +
                "%,d refused since the store was full, %,d reconnects, %,d writes of unknown fate; " +
                "%,d faults injected, %,d torn READs caught; seed %d: %s",
            settings.device(), operations, runSeconds, checkSeconds, requests, scans,
            indexReleased >> 10, heapReleased >> 10, expired, evicted, full, reconnects, unknown, faults, tornReads,
            settings.seed(),
            !violations.isEmpty() ? NOT_LINEARIZABLE : !failures.isEmpty() ? FAILED : "linearizable"));
        violations.forEach(violation -> text.append('\n').append(violation));
        failures.forEach(failure -> text.append('\n').append(failure));
        return text.toString();
    }
}
