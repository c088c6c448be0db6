package org.onesided.linearizability;

import java.util.List;

/**
 * Tries all orders of a short history: slow, and too simple to be wrong.
 */
final class AllOrders
{
    private final List<Operation> operations;

    private AllOrders(final List<Operation> operations)
    {
        this.operations = operations;
    }

    static boolean isLinearizable(final List<Operation> operations)
    {
        return new AllOrders(operations).isPossible(0, Operation.ABSENT, 0);
    }

    private boolean isPossible(final int done, final long state, final long version)
    {
        boolean isComplete = true;
        long firstEndNs = Long.MAX_VALUE;
        for (int i = 0; i < operations.size(); i++)
        {
            final Operation operation = operations.get(i);
            if ((done & 1 << i) == 0 && operation.fate() == Operation.Fate.DONE)
            {
                isComplete = false;
                firstEndNs = Math.min(firstEndNs, operation.returnNs());
            }
        }
        if (isComplete)
        {
            return true;
        }
        for (int i = 0; i < operations.size(); i++)
        {
            final Operation operation = operations.get(i);
            if ((done & 1 << i) == 0 && operation.fate() != Operation.Fate.NOT_APPLIED &&
                operation.invokeNs() <= firstEndNs && isLegal(operation, state, version) &&
                isPossible(
                    done | 1 << i,
                    after(operation, state),
                    Math.max(version, operation.version())))
            {
                return true;
            }
        }
        return false;
    }

    private static boolean isLegal(final Operation operation, final long state, final long version)
    {
        final boolean isPresent = state != Operation.ABSENT;
        final long value = operation.value();
        return switch (operation.kind())
        {
            case GET, ASK -> state == value && (!isPresent || operation.version() == version);
            case CONTAINS -> isPresent == (value == Operation.PRESENT);
            case MEET -> isPresent == (value == Operation.PRESENT) && (!isPresent || operation.version() == version);
            case ADD -> operation.fate() == Operation.Fate.UNKNOWN || value == state + 1;
            case COUNT -> value == state;
            case TOUCH, TTL -> throw new IllegalArgumentException("times are not tried: " + operation);
            case PUT -> operation.version() > version && operation.mayFollow(state);
            case DELETE -> operation.mayFollow(state) &&
                (value == Operation.ANY || isPresent == (value == Operation.PRESENT)) &&
                (value == Operation.ABSENT || operation.version() > version || operation.version() == 0);
        };
    }

    private static long after(final Operation operation, final long state)
    {
        return switch (operation.kind())
        {
            case GET, ASK, CONTAINS, MEET, COUNT, TTL -> state;
            case TOUCH -> throw new IllegalArgumentException("times are not tried: " + operation);
            case ADD -> state + 1;
            case PUT -> operation.value();
            case DELETE -> Operation.ABSENT;
        };
    }
}
