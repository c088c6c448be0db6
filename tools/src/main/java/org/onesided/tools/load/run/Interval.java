package org.onesided.tools.load.run;

import java.io.Serializable;
import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.onesided.tools.load.output.Conflicts;
import org.onesided.tools.load.workload.OperationType;

/**
 * The records of an interval of a phase. Not thread-safe.
 */
final class Interval implements Serializable
{
    private static final long serialVersionUID = 1L;
    private static final int DIGITS = 3;

    private final long startMs;
    private final long lengthMs;
    private final EnumMap<OperationType, Part> parts = new EnumMap<>(OperationType.class);
    private Conflicts conflicts = Conflicts.NONE;

    /**
     * One kind of operation; all times are in nanoseconds.
     *
     * @param service  latencies from the actual start.
     * @param intended latencies from the intended start; empty without a target.
     * @param failed   latencies of those that failed.
     */
    record Part(Histogram service, Histogram intended, Histogram failed) implements Serializable
    {
        Part()
        {
            this(new Histogram(DIGITS), new Histogram(DIGITS), new Histogram(DIGITS));
        }

        void add(final Part other)
        {
            service.add(other.service);
            intended.add(other.intended);
            failed.add(other.failed);
        }

        boolean isEmpty()
        {
            return service.getTotalCount() == 0 && failed.getTotalCount() == 0;
        }

        /** Latencies from the intended start if there is one, as a caller with a schedule sees them. */
        Histogram latency()
        {
            return intended.getTotalCount() > 0 ? intended : service;
        }
    }

    /**
     * @param startMs  begin in milliseconds since the begin of the phase.
     * @param lengthMs in milliseconds.
     */
    Interval(final long startMs, final long lengthMs)
    {
        this.startMs = startMs;
        this.lengthMs = lengthMs;
    }

    long startMs()
    {
        return startMs;
    }

    long lengthMs()
    {
        return lengthMs;
    }

    /** The records of a kind of operation, created if missing. */
    Part part(final OperationType type)
    {
        return parts.computeIfAbsent(type, t -> new Part());
    }

    Map<OperationType, Part> parts()
    {
        return parts;
    }

    Conflicts conflicts()
    {
        return conflicts;
    }

    void add(final Conflicts more)
    {
        conflicts = conflicts.plus(more);
    }

    /** Adds another interval, of another client or another time. */
    void add(final Interval other)
    {
        add(other.conflicts);
        other.parts.forEach((type, part) -> part(type).add(part));
    }

    /** Combines both in an interval that spans both. */
    Interval with(final Interval other)
    {
        final long start = Math.min(startMs, other.startMs);
        final Interval both =
            new Interval(start, Math.max(startMs + lengthMs, other.startMs + other.lengthMs) - start);
        both.add(this);
        both.add(other);
        return both;
    }

    /** Whether the intervals overlap; an empty one belongs to the one that it begins or ends. */
    boolean overlaps(final Interval other)
    {
        final long endMs = startMs + lengthMs;
        final long otherEndMs = other.startMs + other.lengthMs;
        return startMs == other.startMs || startMs < otherEndMs && other.startMs < endMs ||
            endMs == otherEndMs;
    }

    /** Operations of a kind that succeeded. */
    long count(final OperationType type)
    {
        return parts.containsKey(type) ? parts.get(type).service().getTotalCount() : 0;
    }

    /**
     * Operations that succeeded, without those that are part of a larger one: a read-modify-write has a read for each
     * of its puts, those with a conflict too.
     */
    long doneCount()
    {
        return count(OperationType.READ) + count(OperationType.UPDATE) + count(OperationType.INSERT) -
            count(OperationType.READ_MODIFY_WRITE) - conflicts.puts();
    }

    /** Operations that failed, without those that are part of a larger one. */
    long failedCount()
    {
        long failed = 0;
        for (final Part part : parts.values())
        {
            failed += part.failed().getTotalCount();
        }
        return failed - (parts.containsKey(OperationType.READ_MODIFY_WRITE) ?
            parts.get(OperationType.READ_MODIFY_WRITE).failed().getTotalCount() : 0);
    }
}
