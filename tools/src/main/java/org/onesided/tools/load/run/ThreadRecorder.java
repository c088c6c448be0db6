package org.onesided.tools.load.run;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.onesided.tools.load.output.Conflicts;
import org.onesided.tools.load.value.Fault;
import org.onesided.tools.load.workload.OperationType;

/**
 * Records the operations of one thread. Another thread may {@link #addTo} intervals meanwhile, and read the rest once
 * the thread has ended.
 */
final class ThreadRecorder
{
    private final OperationRecorder[] operations = new OperationRecorder[OperationType.values().length];
    private final Map<OperationType, Map<FailureKind, Count>> failures = new EnumMap<>(OperationType.class);
    private final Map<Fault, Count> faults = new EnumMap<>(Fault.class);
    private final AtomicLong conflicts = new AtomicLong();
    private final AtomicLong givenUp = new AtomicLong();
    /** What intervals have of these. */
    private Conflicts taken = Conflicts.NONE;
    private boolean isMeasuring;
    private long done;
    private long failed;
    private long verified;

    /** A count and the first example. */
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

    /** Switches counting on or off. Faults always count. */
    void measuring(final boolean is)
    {
        isMeasuring = is;
    }

    /** Records an operation, or a part of one, that succeeded; times are in nanoseconds. */
    void done(final OperationType type, final long intendedNs, final long startNs, final long endNs)
    {
        if (isMeasuring)
        {
            operations[type.ordinal()].done(intendedNs, startNs, endNs);
        }
    }

    /** Records an operation, or a part of one, that failed; times are in nanoseconds. */
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

    /** Records an operation of several parts after the failure of one part; times are in nanoseconds. */
    void failedPart(final OperationType whole, final long startNs, final long endNs)
    {
        if (isMeasuring)
        {
            operations[whole.ordinal()].failed(startNs, endNs);
        }
    }

    /** Counts a put that did not take effect, because another had changed the key. */
    void conflict()
    {
        if (isMeasuring)
        {
            conflicts.incrementAndGet();
        }
    }

    /** Counts a whole operation. */
    void ended(final Outcome outcome)
    {
        if (isMeasuring)
        {
            switch (outcome)
            {
                case DONE -> done++;
                case FAILED -> failed++;
                case CONFLICT -> givenUp.incrementAndGet();
            }
        }
    }

    /** Counts a verified value. */
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
        final Conflicts all = conflicts();
        interval.add(new Conflicts(all.puts() - taken.puts(), all.givenUp() - taken.givenUp()));
        taken = all;
    }

    long doneCount()
    {
        return done;
    }

    long failedCount()
    {
        return failed;
    }

    Conflicts conflicts()
    {
        return new Conflicts(conflicts.get(), givenUp.get());
    }

    /** Operations that ended, in whatever way. */
    long endedCount()
    {
        return done + failed + givenUp.get();
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
