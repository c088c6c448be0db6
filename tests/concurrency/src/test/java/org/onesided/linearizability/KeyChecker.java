package org.onesided.linearizability;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Decides whether one key's history is linearizable: whether each operation can have taken effect at one moment between
 * its beginning and its end. The search is Wing's and Gong's ("Testing and Verifying Concurrent Objects", 1993) with
 * Lowe's just-in-time linearization and memoisation ("Testing for linearizability", 2017): it walks through beginnings
 * and ends in their order and keeps all pairs of (pending operations that have taken effect, state) that are possible.
 * So a quiescent moment leaves states only, and what a history takes depends on its width, not on its length.
 *
 * <p>What keeps the pairs few:
 * <ul>
 * <li>a lookup takes effect as soon as the state is what it saw: it changes nothing, so later is not better;
 * <li>writes with known versions take effect in their order;
 * <li>puts that nobody read, and deletes, are alike unless they have a condition: of those pending the one that must
 *     end first goes first;
 * <li>a write of unknown fate stays pending for ever. A pair that has used one is dropped where there is the same
 *     without. Beyond {@value #MAX_UNKNOWN} of a kind at a time they count as inexhaustible, which explains too much
 *     rather than too little.
 * </ul>
 */
final class KeyChecker
{
    static final int MAX_UNKNOWN = 8;

    private static final int MAX_CONFIGURATIONS = 1 << 18;
    /** State after a put that nobody read. */
    private static final long UNREAD = Long.MIN_VALUE;
    /** Of an operation that is not pending, or has its bit no more. */
    private static final int NO_BIT = -1;

    /** How an operation acts; among those of the second half alike ones may change places. */
    private enum Type
    {
        READ, PUT_READ, DELETE_ANY, PUT_IF, DELETE_IF, PUT_UNREAD, DELETE_PRESENT, DELETE_UNKNOWN
    }

    private final Operation[] operations;
    private final Type[] types;
    private final long[] endsNs;
    private final long[] versions;
    private final int[] bits;

    private final int[] pending = new int[Long.SIZE];
    private long pendingBits;
    private long readBits;
    private long optionalBits;
    private long versionedBits;
    private int unknownPuts;
    private int unknownDeletes;
    private boolean isPutInexhaustible;
    private boolean isDeleteInexhaustible;
    private long returnedVersion;
    private Configurations current = new Configurations();
    private Configurations next = new Configurations();
    private final Configurations seen = new Configurations();
    private int failed = -1;

    private KeyChecker(final KeyHistory history)
    {
        final List<Operation> all = history.operations();
        final int count = all.size();
        operations = all.toArray(Operation[]::new);
        types = new Type[count];
        endsNs = new long[count];
        versions = new long[count];
        bits = new int[count];
        Arrays.fill(bits, NO_BIT);
        for (int i = 0; i < count; i++)
        {
            final Operation operation = operations[i];
            final long firstReadNs = operation.kind() == Operation.Kind.PUT ?
                history.firstReadNs(operation.value()) : Long.MAX_VALUE;
            types[i] = type(operation, history.isTold(operation.value()));
            endsNs[i] = Math.max(operation.invokeNs(), Math.min(operation.endNs(), firstReadNs));
            versions[i] = operation.isWrite() ? history.version(operation) : Operation.NO_VERSION;
        }
    }

    /** What is wrong with a key's history, shown by as few operations as could be found; null for nothing. */
    static Violation check(final List<Operation> recorded)
    {
        final KeyHistory history = new KeyHistory(recorded);
        if (history.violation() != null)
        {
            return history.violation();
        }
        final KeyChecker checker = new KeyChecker(history);
        if (checker.isLinearizable())
        {
            return null;
        }
        final Operation failed = checker.operations[checker.failed];
        return new Violation(failed.key(), "no order explains these operations", Minimizer.minimal(recorded, failed));
    }

    /** Whether a history of which one operation or more were taken away is linearizable. */
    static boolean isLinearizable(final List<Operation> recorded)
    {
        final KeyHistory history = new KeyHistory(recorded);
        return history.violation() == null && new KeyChecker(history).isLinearizable();
    }

    private static Type type(final Operation operation, final boolean isRead)
    {
        if (operation.isWrite() && operation.expected() != Operation.ANY)
        {
            return operation.kind() == Operation.Kind.PUT ? Type.PUT_IF : Type.DELETE_IF;
        }
        return switch (operation.kind())
        {
            case GET, CONTAINS -> Type.READ;
            case MEET -> throw new IllegalArgumentException("history has it as a lookup: " + operation);
            case ADD, COUNT -> throw new IllegalArgumentException("counts have their own checker: " + operation);
            case PUT -> isRead ? Type.PUT_READ : Type.PUT_UNREAD;
            case DELETE -> operation.fate() == Operation.Fate.UNKNOWN ? Type.DELETE_UNKNOWN :
                operation.value() == Operation.ABSENT ? Type.READ :
                operation.value() == Operation.PRESENT ? Type.DELETE_PRESENT : Type.DELETE_ANY;
        };
    }

    private boolean isLinearizable()
    {
        final Integer[] byEnd = new Integer[operations.length];
        Arrays.setAll(byEnd, i -> i);
        Arrays.sort(byEnd, Comparator.comparingLong(i -> endsNs[i]));
        current.add(0, Operation.ABSENT);
        int begun = 0;
        for (final int ending : byEnd)
        {
            if (endsNs[ending] == Long.MAX_VALUE)
            {
                break;
            }
            while (begun < operations.length && operations[begun].invokeNs() <= endsNs[ending])
            {
                begin(begun++);
            }
            end(ending);
            if (current.size() == 0)
            {
                failed = ending;
                return false;
            }
        }
        return true;
    }

    private void begin(final int i)
    {
        final boolean isOptional = endsNs[i] == Long.MAX_VALUE;
        if (isOptional && isFolded(i))
        {
            return;
        }
        final long free = ~pendingBits;
        if (free == 0)
        {
            throw new IllegalStateException("too many operations at a time to be checked, take fewer sessions: key=" +
                operations[i].key());
        }
        final int number = Long.numberOfTrailingZeros(free);
        final long bit = 1L << number;
        pendingBits |= bit;
        pending[number] = i;
        bits[i] = number;
        optionalBits |= isOptional ? bit : 0;
        versionedBits |= versions[i] != Operation.NO_VERSION ? bit : 0;
        if (types[i] == Type.READ)
        {
            readBits |= bit;
            for (int c = 0; c < current.size(); c++)
            {
                if (isSeen(i, current.state(c)))
                {
                    current.mask(c, current.mask(c) | bit);
                }
            }
            current.rehash();
        }
    }

    /** Whether a write of unknown fate is one too many, and made inexhaustible. */
    private boolean isFolded(final int i)
    {
        if (operations[i].kind() == Operation.Kind.PUT)
        {
            isPutInexhaustible |= ++unknownPuts > MAX_UNKNOWN;
            return isPutInexhaustible;
        }
        isDeleteInexhaustible |= ++unknownDeletes > MAX_UNKNOWN;
        return isDeleteInexhaustible;
    }

    private void end(final int i)
    {
        final long bit = 1L << bits[i];
        next.clear();
        seen.clear();
        for (int c = 0; c < current.size(); c++)
        {
            explore(current.mask(c), current.state(c), bit);
        }
        if (versions[i] != Operation.NO_VERSION)
        {
            returnedVersion = Math.max(returnedVersion, versions[i]);
        }
        pendingBits &= ~bit;
        readBits &= ~bit;
        versionedBits &= ~bit;
        bits[i] = NO_BIT;
        current.clear();
        for (int c = 0; c < next.size(); c++)
        {
            if (!isDominated(next.mask(c), next.state(c)))
            {
                current.add(next.mask(c), next.state(c));
            }
        }
    }

    /** Adds to the next pairs all those that come of one when the operation of a bit has taken effect. */
    private void explore(final long mask, final long state, final long wanted)
    {
        if ((mask & wanted) != 0)
        {
            next.add(mask & ~wanted, state);
            return;
        }
        if (!seen.add(mask, state))
        {
            return;
        }
        if (seen.size() > MAX_CONFIGURATIONS)
        {
            throw new IllegalStateException("history is too wide to be checked, take fewer sessions: key=" +
                operations[0].key() + " pending=" + Long.bitCount(pendingBits));
        }
        for (long rest = pendingBits & ~readBits & ~mask; rest != 0; rest &= rest - 1)
        {
            final int number = Long.numberOfTrailingZeros(rest);
            final int write = pending[number];
            if (isNext(write, mask, state))
            {
                final long after = types[write] == Type.PUT_UNREAD ? UNREAD :
                    operations[write].kind() == Operation.Kind.PUT ? operations[write].value() : Operation.ABSENT;
                final long done = mask | 1L << number;
                if ((optionalBits & 1L << number) == 0 || isOfUse(done, state, after))
                {
                    explore(withReads(done, after), after, wanted);
                }
            }
        }
        if (isPutInexhaustible && isOfUse(mask, state, UNREAD))
        {
            explore(withReads(mask, UNREAD), UNREAD, wanted);
        }
        if (isDeleteInexhaustible && isOfUse(mask, state, Operation.ABSENT))
        {
            explore(withReads(mask, Operation.ABSENT), Operation.ABSENT, wanted);
        }
    }

    /** Whether a write that need not take effect would explain something by doing so now. */
    private boolean isOfUse(final long mask, final long state, final long after)
    {
        if ((state == Operation.ABSENT) == (after == Operation.ABSENT))
        {
            return false;
        }
        if (withReads(mask, after) != mask)
        {
            return true;
        }
        for (long rest = pendingBits & ~readBits & ~mask; rest != 0; rest &= rest - 1)
        {
            if (mayFollow(pending[Long.numberOfTrailingZeros(rest)], after) &&
                !mayFollow(pending[Long.numberOfTrailingZeros(rest)], state))
            {
                return true;
            }
        }
        return false;
    }

    private boolean mayFollow(final int write, final long state)
    {
        final Type type = types[write];
        return operations[write].mayFollow(state) && (state != Operation.ABSENT ||
            type != Type.DELETE_PRESENT && type != Type.DELETE_UNKNOWN && type != Type.DELETE_IF);
    }

    private boolean isNext(final int write, final long mask, final long state)
    {
        final Type type = types[write];
        if (!mayFollow(write, state))
        {
            return false;
        }
        final boolean isPut = operations[write].kind() == Operation.Kind.PUT;
        if (endsNs[write] == Long.MAX_VALUE && (isPut ? isPutInexhaustible : isDeleteInexhaustible))
        {
            return false;
        }
        final long version = versions[write];
        if (version != Operation.NO_VERSION)
        {
            if (version <= returnedVersion)
            {
                return false;
            }
            for (long rest = versionedBits & ~(1L << bits[write]); rest != 0; rest &= rest - 1)
            {
                final int number = Long.numberOfTrailingZeros(rest);
                final boolean isBefore = (mask & 1L << number) != 0;
                final boolean isOptional = (optionalBits & 1L << number) != 0;
                if (isBefore != versions[pending[number]] < version && (isBefore || !isOptional))
                {
                    return false;
                }
            }
            return true;
        }
        return type.ordinal() < Type.PUT_UNREAD.ordinal() || isFirstOfItsKind(write, mask);
    }

    private boolean isFirstOfItsKind(final int write, final long mask)
    {
        for (long rest = pendingBits & ~readBits & ~mask & ~versionedBits; rest != 0; rest &= rest - 1)
        {
            final int other = pending[Long.numberOfTrailingZeros(rest)];
            if (types[other] == types[write] &&
                (endsNs[other] < endsNs[write] || endsNs[other] == endsNs[write] && other < write))
            {
                return false;
            }
        }
        return true;
    }

    private long withReads(final long mask, final long state)
    {
        long result = mask;
        for (long rest = readBits & ~mask; rest != 0; rest &= rest - 1)
        {
            if (isSeen(pending[Long.numberOfTrailingZeros(rest)], state))
            {
                result |= Long.lowestOneBit(rest);
            }
        }
        return result;
    }

    private boolean isSeen(final int read, final long state)
    {
        final Operation operation = operations[read];
        return operation.kind() == Operation.Kind.GET ? state == operation.value() :
            (state == Operation.ABSENT) == (operation.value() == Operation.ABSENT);
    }

    private boolean isDominated(final long mask, final long state)
    {
        for (long rest = mask & optionalBits; rest != 0; rest &= rest - 1)
        {
            if (next.contains(mask & ~Long.lowestOneBit(rest), state))
            {
                return true;
            }
        }
        return false;
    }
}
