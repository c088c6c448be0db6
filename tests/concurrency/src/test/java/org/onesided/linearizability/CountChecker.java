package org.onesided.linearizability;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.onesided.linearizability.Operation.Fate;
import org.onesided.linearizability.Operation.Kind;

/**
 * Decides whether the history of one key that holds a count is linearizable. Each addition adds one, so the moment of
 * each count is bounded by few operations: it is within the addition that returned it, not after the end of a lookup
 * that saw it or more, and not before the beginning of a lookup that saw less. A count that no addition returned is
 * that of one whose fate is unknown; of these the earliest can explain most. Such moments exist, in the order of the
 * counts, exactly if no count's earliest moment is after its latest one.
 */
final class CountChecker
{
    private final List<Operation> history = new ArrayList<>();
    private final List<Operation> unknown = new ArrayList<>();
    private final Operation[] additions;
    /** What bounds the moment of each count, or null. */
    private final Operation[] earliest;
    private final Operation[] latest;
    private Violation violation;

    private CountChecker(final List<Operation> recorded)
    {
        long most = 0;
        for (final Operation operation : recorded)
        {
            if (operation.kind() == Kind.ADD && operation.fate() == Fate.UNKNOWN)
            {
                unknown.add(operation);
            }
            else if (operation.kind() == Kind.COUNT || operation.fate() == Fate.DONE)
            {
                history.add(operation);
                most = Math.max(most, operation.value());
            }
        }
        unknown.sort(Comparator.comparingLong(Operation::invokeNs));
        // An impossible count must not take memory for all below it.
        final int counts = (int)Math.min(most, recorded.size()) + 2;
        additions = new Operation[counts];
        earliest = new Operation[counts];
        latest = new Operation[counts];
    }

    /** What is wrong with a key's history; null for nothing. */
    static Violation check(final List<Operation> recorded)
    {
        final CountChecker checker = new CountChecker(recorded);
        checker.bound();
        if (checker.violation == null)
        {
            checker.order();
        }
        return checker.violation;
    }

    private void bound()
    {
        for (final Operation operation : history)
        {
            final boolean isAddition = operation.kind() == Kind.ADD;
            final long count = operation.value();
            if (count < (isAddition ? 1 : 0) || count > additions.length - 2)
            {
                violate("a count was told that so many additions cannot make", operation);
                return;
            }
            final int at = (int)count;
            if (isAddition && additions[at] != null)
            {
                violate("two additions were told one count", additions[at], operation);
                return;
            }
            additions[at] = isAddition ? operation : additions[at];
            latest[at] = latest[at] == null || operation.returnNs() < latest[at].returnNs() ? operation : latest[at];
            final int after = isAddition ? at : at + 1;
            earliest[after] = later(earliest[after], operation);
        }
    }

    private static Operation later(final Operation one, final Operation other)
    {
        return one == null || other != null && other.invokeNs() > one.invokeNs() ? other : one;
    }

    private void order()
    {
        for (int count = latest.length - 2; count > 0; count--)
        {
            final Operation next = latest[count + 1];
            latest[count] = latest[count] == null || next != null && next.returnNs() < latest[count].returnNs() ?
                next : latest[count];
        }
        int used = 0;
        Operation begun = null;
        for (int count = 1; count < latest.length && latest[count] != null; count++)
        {
            if (additions[count] == null)
            {
                if (used == unknown.size())
                {
                    violate("a count was reached for which there are too few additions: count=" + count,
                        latest[count]);
                    return;
                }
                begun = later(begun, unknown.get(used++));
            }
            begun = later(begun, earliest[count]);
            if (begun != null && begun.invokeNs() > latest[count].returnNs())
            {
                violate("no order explains these operations: count=" + count, latest[count], begun);
                return;
            }
        }
    }

    private void violate(final String reason, final Operation... among)
    {
        violation = new Violation(among[0].key(), reason, Arrays.asList(among));
    }
}
