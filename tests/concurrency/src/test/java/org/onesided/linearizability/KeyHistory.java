package org.onesided.linearizability;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One key's operations, and what they tell of each other whatever their order: every value that was read was put, by
 * one put that may have taken effect; every value has one version, and every version one value.
 */
final class KeyHistory
{
    /** By their beginnings, without writes that had no effect. */
    private final List<Operation> operations = new ArrayList<>();
    private final Map<Long, Operation> puts = new HashMap<>();
    private final Map<Long, Operation> knowsVersion = new HashMap<>();
    private final Map<Long, Operation> hasVersion = new HashMap<>();
    /** When a value was first known to be there: by then its put has taken effect. */
    private final Map<Long, Long> firstReadNs = new HashMap<>();
    /** Values that writes were to find. */
    private final Set<Long> expected = new HashSet<>();
    private Violation violation;

    KeyHistory(final List<Operation> recorded)
    {
        final List<Operation> all = new ArrayList<>(recorded);
        all.sort(Comparator.comparingLong(Operation::invokeNs));
        final Map<Long, Long> valuesByVersion = new HashMap<>();
        for (final Operation operation : all)
        {
            final boolean hasValue = operation.kind() == Operation.Kind.PUT || operation.isLookup();
            if (hasValue && operation.version() != Operation.NO_VERSION)
            {
                valuesByVersion.putIfAbsent(operation.version(), operation.value());
            }
        }
        all.replaceAll(operation -> operation.kind() != Operation.Kind.MEET ? operation :
            operation.asLookup(valuesByVersion.get(operation.version())));
        for (final Operation operation : all)
        {
            if (operation.kind() == Operation.Kind.PUT && puts.put(operation.value(), operation) != null)
            {
                violate("a value was put twice, the test is wrong", operation);
            }
        }
        for (final Operation operation : all)
        {
            if (operation.fate() != Operation.Fate.NOT_APPLIED)
            {
                operations.add(operation);
                look(operation);
            }
        }
    }

    /** What is wrong whatever the order, or null. */
    Violation violation()
    {
        return violation;
    }

    List<Operation> operations()
    {
        return operations;
    }

    /** When a value was read first, had been read by the end of; {@link Long#MAX_VALUE} for never. */
    long firstReadNs(final long value)
    {
        return firstReadNs.getOrDefault(value, Long.MAX_VALUE);
    }

    /** Whether it matters that it was this value: it was read, or a write was to find it. */
    boolean isTold(final long value)
    {
        return firstReadNs.containsKey(value) || expected.contains(value);
    }

    /** The version that a write gave, as far as anybody was told. */
    long version(final Operation write)
    {
        if (write.kind() != Operation.Kind.PUT)
        {
            return write.version();
        }
        final Operation knows = knowsVersion.get(write.value());
        return knows == null ? Operation.NO_VERSION : knows.version();
    }

    private void look(final Operation operation)
    {
        final boolean isGet = operation.isLookup() && operation.value() != Operation.ABSENT;
        final boolean hasFound = operation.expectsValue() && operation.fate() == Operation.Fate.DONE;
        if (operation.expectsValue())
        {
            expected.add(operation.expected());
        }
        if (isGet || hasFound)
        {
            final long value = isGet ? operation.value() : operation.expected();
            final Operation put = puts.get(value);
            if (value == Operation.CORRUPT)
            {
                violate("a value was read that nobody can have put", operation);
            }
            else if (put == null)
            {
                violate("a value was read that was put to another key, or never", operation);
            }
            else if (put.fate() == Operation.Fate.NOT_APPLIED)
            {
                violate("a value was read whose put was reported not to have taken effect", put, operation);
            }
            else if (operation.returnNs() < put.invokeNs())
            {
                violate("a value was read before its put began", put, operation);
            }
            firstReadNs.merge(value, operation.returnNs(), Math::min);
        }
        final boolean isDelete = operation.kind() == Operation.Kind.DELETE;
        if (operation.version() != Operation.NO_VERSION)
        {
            if (!isDelete)
            {
                final Operation other = knowsVersion.putIfAbsent(operation.value(), operation);
                if (other != null && other.version() != operation.version())
                {
                    violate("a value had two versions", puts.get(operation.value()), other, operation);
                }
            }
            final Operation same = hasVersion.putIfAbsent(operation.version(), operation);
            if (same != null && (isDelete || same.kind() == Operation.Kind.DELETE || same.value() != operation.value()))
            {
                violate("two writes had one version", same, operation);
            }
        }
    }

    private void violate(final String reason, final Operation... among)
    {
        if (violation == null)
        {
            final List<Operation> history = new ArrayList<>();
            for (final Operation operation : among)
            {
                if (operation != null && !history.contains(operation))
                {
                    history.add(operation);
                }
            }
            history.sort(Comparator.comparingLong(Operation::invokeNs));
            violation = new Violation(among[among.length - 1].key(), reason, history);
        }
    }
}
