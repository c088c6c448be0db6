package org.onesided.tools.load.run;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.onesided.tools.load.output.FailureCount;
import org.onesided.tools.load.output.Verification.FaultCount;

/**
 * Adds up the counts of several threads or processes.
 */
final class Counts
{
    private Counts()
    {
    }

    /** Combines failures of the same operation and kind. */
    static List<FailureCount> failures(final Collection<? extends Collection<FailureCount>> all)
    {
        final Map<List<String>, FailureCount> sums = new LinkedHashMap<>();
        for (final Collection<FailureCount> some : all)
        {
            for (final FailureCount one : some)
            {
                sums.merge(List.of(one.operation(), one.kind()), one, (a, b) ->
                    new FailureCount(a.operation(), a.kind(), a.count() + b.count(), a.example()));
            }
        }
        return List.copyOf(sums.values());
    }

    /** Combines faults of the same kind. */
    static List<FaultCount> faults(final Collection<? extends Collection<FaultCount>> all)
    {
        final Map<String, FaultCount> sums = new LinkedHashMap<>();
        for (final Collection<FaultCount> some : all)
        {
            for (final FaultCount one : some)
            {
                sums.merge(one.kind(), one, (a, b) -> new FaultCount(a.kind(), a.count() + b.count(), a.example()));
            }
        }
        return List.copyOf(sums.values());
    }

    /** Keeps one of several equal notes. */
    static List<String> both(final List<String> first, final List<String> second)
    {
        final Set<String> both = new LinkedHashSet<>(first);
        both.addAll(second);
        return List.copyOf(both);
    }

    /** The failures that a thread recorded. */
    static List<FailureCount> failures(final ThreadRecorder recorder)
    {
        final List<FailureCount> all = new ArrayList<>();
        recorder.failures().forEach((type, kinds) -> kinds.forEach((kind, count) ->
            all.add(new FailureCount(type.label(), kind.label(), count.count(), count.example()))));
        return all;
    }

    /** The faults that a thread recorded. */
    static List<FaultCount> faults(final ThreadRecorder recorder)
    {
        final List<FaultCount> all = new ArrayList<>();
        recorder.faults().forEach((fault, count) ->
            all.add(new FaultCount(fault.label(), count.count(), count.example())));
        return all;
    }
}
