package org.onesided.tools.load.run;

import java.util.EnumMap;
import java.util.Map;
import org.onesided.tools.load.value.Fault;
import org.onesided.tools.load.workload.OperationType;

/**
 * Records what one thread does. That thread records; one other may {@link #addTo} intervals meanwhile, and ask for the
 * rest when the thread has ended.
 */
final class ThreadRecorder
{
    private final OperationRecorder[] operations = new OperationRecorder[OperationType.values().length];
    private final Map<OperationType, Map<FailureKind, Count>> failures = new EnumMap<>(OperationType.class);
    private final Map<Fault, Count> faults = new EnumMap<>(Fault.class);
    private boolean isMeasuring;
    private long done;
    private long failed;
    private long verified;

    /** How often something happened, and what happened first. */
    static final class Count
    {
        private final String example;
        private long count;

        Count(final String example)
        {
            this.example = example;
        }

        long count()
        {
            return count;
        }

        String example()
        {
            return example;
        }
    }

    ThreadRecorder(final boolean hasTarget)
    {
        for (int i = 0; i < operations.length; i++)
        {
            operations[i] = new OperationRecorder(hasTarget);
        }
    }

    /** Says whether what follows counts. Faults always do. */
    void measuring(final boolean is)
    {
        isMeasuring = is;
    }

    /** An operation, or a part of one, that succeeded; times are nanoseconds. */
    void done(final OperationType type, final long intendedNs, final long startNs, final long endNs)
    {
        if (isMeasuring)
        {
            operations[type.ordinal()].done(intendedNs, startNs, endNs);
        }
    }

    /** An operation, or a part of one, that failed; times are nanoseconds. */
    void failed(
        final OperationType type, final long startNs, final long endNs, final FailureKind kind, final String message)
    {
        if (isMeasuring)
        {
            operations[type.ordinal()].failed(startNs, endNs);
            failures.computeIfAbsent(type, t -> new EnumMap<>(FailureKind.class))
                .computeIfAbsent(kind, k -> new Count(message)).count++;
        }
    }

    /** An operation of several parts, of which one has failed and was recorded; times are nanoseconds. */
    void failedPart(final OperationType whole, final long startNs, final long endNs)
    {
        if (isMeasuring)
        {
            operations[whole.ordinal()].failed(startNs, endNs);
        }
    }

    /** A whole operation has ended. */
    void ended(final boolean isDone)
    {
        if (isMeasuring && isDone)
        {
            done++;
        }
        else if (isMeasuring)
        {
            failed++;
        }
    }

    /** A value was verified. */
    void verified()
    {
        if (isMeasuring)
        {
            verified++;
        }
    }

    void fault(final Fault fault, final String finding)
    {
        faults.computeIfAbsent(fault, f -> new Count(finding)).count++;
    }

    void addTo(final Interval interval)
    {
        for (final OperationType type : OperationType.values())
        {
            final Interval.Part part = new Interval.Part();
            operations[type.ordinal()].addTo(part);
            if (!part.isEmpty())
            {
                interval.part(type).add(part);
            }
        }
    }

    long doneCount()
    {
        return done;
    }

    long failedCount()
    {
        return failed;
    }

    long verifiedCount()
    {
        return verified;
    }

    Map<OperationType, Map<FailureKind, Count>> failures()
    {
        return failures;
    }

    Map<Fault, Count> faults()
    {
        return faults;
    }
}
