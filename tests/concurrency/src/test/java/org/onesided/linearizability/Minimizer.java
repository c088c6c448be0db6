package org.onesided.linearizability;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Takes operations away from a history that is not linearizable, as long as it stays so. Only such are taken whose
 * absence cannot make a linearizable history one that is not, so that what is left is a proof by itself:
 *
 * <ul>
 * <li>lookups, and nothing else if keys expire;
 * <li>a put with all lookups of its value, where deletes no longer say whether they found something;
 * <li>a delete, where moreover no lookup that is left depends on it: what saw the key absent had ended before the
 *     delete, or began after a later put.
 * </ul>
 */
final class Minimizer
{
    /** What there is by then is small enough, or will not become so. */
    private static final long MAX_NS = 10_000_000_000L;

    private static final int MAX_CUTS = 100;

    private final ExpiryTimes times;
    private List<Operation> history;
    private final long endNs = System.nanoTime() + MAX_NS;

    private Minimizer(final List<Operation> history, final ExpiryTimes times)
    {
        this.history = history;
        this.times = times;
    }

    /** The operations that are left of those up to the end of one that no order explains. */
    static List<Operation> minimal(
        final List<Operation> recorded, final Operation failed, final ExpiryTimes times)
    {
        final List<Operation> history = new ArrayList<>();
        for (final Operation operation : recorded)
        {
            if (operation.invokeNs() <= failed.endNs() && operation.fate() != Operation.Fate.NOT_APPLIED)
            {
                history.add(operation);
            }
        }
        history.sort(Comparator.comparingLong(Operation::invokeNs));
        return new Minimizer(history, times).minimal();
    }

    private List<Operation> minimal()
    {
        cut();
        // What had not ended may take effect or not: so its end does not count.
        final boolean isRelaxed =
            history.stream().noneMatch(Operation::limitsLife) && isKept(relaxed());
        int before;
        do
        {
            before = history.size();
            take(operation -> !operation.isWrite());
            if (isRelaxed)
            {
                take(operation -> operation.kind() == Operation.Kind.PUT);
                take(operation -> operation.kind() == Operation.Kind.DELETE);
            }
        }
        while (history.size() < before && !isLate());
        return history;
    }

    /**
     * Takes away what was before a put during which nobody else wrote, if possible: whatever was before, the state is
     * then known. Writes of unknown fate stay.
     */
    private void cut()
    {
        final List<Operation> writes = history.stream()
            .filter(operation -> operation.isWrite() && operation.fate() == Operation.Fate.DONE).toList();
        final long[] endsNs = new long[writes.size()];
        long lastNs = Long.MIN_VALUE;
        for (int i = 0; i < endsNs.length; i++)
        {
            endsNs[i] = lastNs;
            lastNs = Math.max(lastNs, writes.get(i).endNs());
        }
        int tries = 0;
        for (int i = endsNs.length - 2; i > 0 && tries < MAX_CUTS; i--)
        {
            final Operation put = writes.get(i);
            if (put.kind() == Operation.Kind.PUT && put.expected() == Operation.ANY && endsNs[i] < put.invokeNs() &&
                put.endNs() < writes.get(i + 1).invokeNs())
            {
                tries++;
                if (isKept(since(put)))
                {
                    return;
                }
            }
        }
    }

    /** A put and what was after it; null if values were read then that were put before. */
    private List<Operation> since(final Operation put)
    {
        final List<Operation> rest = new ArrayList<>();
        final Set<Long> values = new HashSet<>();
        for (final Operation operation : history)
        {
            if (operation == put || operation.invokeNs() > put.endNs() ||
                operation.isWrite() && operation.fate() == Operation.Fate.UNKNOWN)
            {
                rest.add(operation);
                if (operation.kind() == Operation.Kind.PUT)
                {
                    values.add(operation.value());
                }
            }
        }
        final boolean isWhole = rest.stream().allMatch(operation ->
            (!operation.isLookup() || operation.value() == Operation.ABSENT ||
                values.contains(operation.value())) &&
            (!operation.expectsValue() || values.contains(operation.expected())));
        return isWhole ? rest : null;
    }

    /**
     * The history with writes that have no condition and do not say what they found, and without questions whether
     * there is a value.
     */
    private List<Operation> relaxed()
    {
        final List<Operation> result = new ArrayList<>();
        for (final Operation operation : history)
        {
            if (operation.kind() == Operation.Kind.DELETE)
            {
                result.add(operation.withValue(Operation.ANY).unconditional());
            }
            else if (operation.kind() == Operation.Kind.PUT)
            {
                result.add(operation.unconditional());
            }
            else if (operation.isLookup())
            {
                result.add(operation);
            }
        }
        return result;
    }

    /** Takes as many of some operations as can be, in pieces that become smaller. */
    private void take(final Predicate<Operation> which)
    {
        int piece = Math.max(1, count(which) / 2);
        while (true)
        {
            int from = 0;
            while (from < count(which) && !isLate())
            {
                if (!isKept(without(which, from, from + piece)))
                {
                    from += piece;
                }
            }
            if (piece == 1)
            {
                return;
            }
            piece = Math.max(1, piece / 2);
        }
    }

    private int count(final Predicate<Operation> which)
    {
        return (int)history.stream().filter(which).count();
    }

    /** The history without the operations of a kind from one number to another; null if that is not sound. */
    private List<Operation> without(final Predicate<Operation> which, final int from, final int to)
    {
        final List<Operation> rest = new ArrayList<>();
        final List<Operation> taken = new ArrayList<>();
        final Set<Long> values = new HashSet<>();
        int number = 0;
        for (final Operation operation : history)
        {
            if (which.test(operation) && number++ >= from && number <= to)
            {
                taken.add(operation);
                if (operation.kind() == Operation.Kind.PUT)
                {
                    values.add(operation.value());
                }
            }
            else
            {
                rest.add(operation);
            }
        }
        rest.removeIf(operation -> operation.isLookup() && values.contains(operation.value()));
        final List<Operation> absences = rest.stream()
            .filter(operation -> operation.isLookup() && operation.value() == Operation.ABSENT)
            .toList();
        for (final Operation absence : absences)
        {
            for (final Operation operation : taken)
            {
                if (operation.kind() == Operation.Kind.DELETE && absence.returnNs() >= operation.invokeNs() &&
                    !isPutBetween(rest, operation, absence))
                {
                    return null;
                }
            }
        }
        return rest;
    }

    private static boolean isPutBetween(final List<Operation> rest, final Operation delete, final Operation read)
    {
        for (final Operation put : rest)
        {
            if (put.kind() == Operation.Kind.PUT && delete.endNs() < put.invokeNs() && put.endNs() < read.invokeNs())
            {
                return true;
            }
        }
        return false;
    }

    private boolean isLate()
    {
        return System.nanoTime() - endNs > 0;
    }

    private boolean isKept(final List<Operation> shorter)
    {
        if (shorter == null || KeyChecker.isLinearizable(shorter, times))
        {
            return false;
        }
        history = shorter;
        return true;
    }
}
