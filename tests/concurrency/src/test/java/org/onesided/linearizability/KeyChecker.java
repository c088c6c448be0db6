package org.onesided.linearizability;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
 *
 * <p>A write that limits the life of its key brings two more events, which {@link ExpiryTimes} bounds. Within the first
 * bounds the time comes, if the key still has that time: from then on it is absent for requests. By the last bound it
 * is gone for READs too. Like the writes of unknown fate, the first happens where it explains something, or else at its
 * bound.
 *
 * <p>Where a server evicts, any key may leave at any moment: as by deletes of unknown fate that are inexhaustible.
 */
final class KeyChecker
{
    static final int MAX_UNKNOWN = 8;

    private static final int MAX_CONFIGURATIONS = 1 << 18;
    /** Of an operation that is not pending, or has its bit no more. */
    private static final int NO_BIT = -1;

    /** How an operation acts; among those of the second half alike ones may change places. */
    private enum Type
    {
        READ, PUT_READ, DELETE_ANY, PUT_IF, DELETE_IF, TOUCH, PUT_UNREAD, DELETE_PRESENT, DELETE_UNKNOWN
    }

    private final Operation[] operations;
    private final Type[] types;
    private final long[] endsNs;
    private final long[] versions;
    private final int[] bits;
    /** Number of the put whose value a lookup saw, or a write was to find. */
    private final int[] puts;
    private final ExpiryTimes times;
    /** Of writes that limit the life of their key. */
    private final long[] earliestNs;
    private final long[] latestNs;
    private final long[] goneNs;

    private final int[] pending = new int[Long.SIZE];
    private long pendingBits;
    private long readBits;
    private long optionalBits;
    private long versionedBits;
    private int unknownPuts;
    private int unknownDeletes;
    private int unknownTouches;
    private boolean isPutInexhaustible;
    private boolean isDeleteInexhaustible;
    private boolean isTouchInexhaustible;
    /** Whether a put of unknown fate may have changed the key's time. */
    private boolean isTimeUnknown;
    private long returnedVersion;
    private Configurations current = new Configurations();
    private Configurations next = new Configurations();
    private final Configurations seen = new Configurations();
    private int failed = -1;
    /** What is explored for: that the operation of this bit has taken effect, */
    private long goalBit;
    /** or that the time of this write is over, */
    private int goalTime = KeyState.NONE;
    /** and the key is gone for READs. */
    private boolean isGoalGone;
    private long nowNs;

    private KeyChecker(final KeyHistory history, final ExpiryTimes times)
    {
        this.times = times;
        // An eviction is a delete that nobody asked for.
        isDeleteInexhaustible = times.mayLeave();
        final List<Operation> all = history.operations();
        final int count = all.size();
        operations = all.toArray(Operation[]::new);
        types = new Type[count];
        endsNs = new long[count];
        versions = new long[count];
        bits = new int[count];
        Arrays.fill(bits, NO_BIT);
        puts = new int[count];
        earliestNs = new long[count];
        latestNs = new long[count];
        goneNs = new long[count];
        final Map<Long, Integer> putsByValue = new HashMap<>();
        for (int i = 0; i < count; i++)
        {
            if (operations[i].kind() == Operation.Kind.PUT)
            {
                putsByValue.put(operations[i].value(), i);
            }
        }
        for (int i = 0; i < count; i++)
        {
            final Operation operation = operations[i];
            final long firstReadNs = operation.kind() == Operation.Kind.PUT ?
                history.firstReadNs(operation.value()) : Long.MAX_VALUE;
            types[i] = type(operation, history.isTold(operation.value()));
            endsNs[i] = Math.max(operation.invokeNs(), Math.min(operation.endNs(), firstReadNs));
            versions[i] = operation.isWrite() ? history.version(operation) : Operation.NO_VERSION;
            puts[i] = putsByValue.getOrDefault(
                operation.isLookup() ? operation.value() : operation.expected(), KeyState.NONE);
            final boolean limitsLife = operation.limitsLife();
            final boolean hasEnd = limitsLife && endsNs[i] != Long.MAX_VALUE;
            earliestNs[i] = limitsLife ?
                times.earliestNs(operation.invokeNs(), operation.ttlNs()) : Long.MAX_VALUE;
            latestNs[i] = hasEnd ? times.latestNs(endsNs[i], operation.ttlNs()) : Long.MAX_VALUE;
            goneNs[i] = hasEnd ? times.goneNs(endsNs[i], operation.ttlNs()) : Long.MAX_VALUE;
        }
    }

    /** What is wrong with a key's history, shown by as few operations as could be found; null for nothing. */
    static Violation check(final List<Operation> recorded, final ExpiryTimes times)
    {
        final KeyHistory history = new KeyHistory(recorded);
        if (history.violation() != null)
        {
            return history.violation();
        }
        final KeyChecker checker = new KeyChecker(history, times);
        if (checker.isLinearizable())
        {
            return null;
        }
        final Operation failed = checker.operations[checker.failed];
        return new Violation(
            failed.key(), "no order explains these operations", Minimizer.minimal(recorded, failed, times));
    }

    /** Whether a history of which one operation or more were taken away is linearizable. */
    static boolean isLinearizable(final List<Operation> recorded, final ExpiryTimes times)
    {
        final KeyHistory history = new KeyHistory(recorded);
        return history.violation() == null && new KeyChecker(history, times).isLinearizable();
    }

    private static Type type(final Operation operation, final boolean isRead)
    {
        if (operation.isWrite() && operation.expected() != Operation.ANY)
        {
            return operation.kind() == Operation.Kind.PUT ? Type.PUT_IF : Type.DELETE_IF;
        }
        return switch (operation.kind())
        {
            case GET, CONTAINS, ASK, TTL -> Type.READ;
            case MEET -> throw new IllegalArgumentException("history has it as a lookup: " + operation);
            case ADD, COUNT -> throw new IllegalArgumentException("counts have their own checker: " + operation);
            case TOUCH -> operation.value() == Operation.ABSENT ? Type.READ : Type.TOUCH;
            // Those that change the key's time are not alike.
            case PUT -> isRead || operation.ttlNs() != Operation.FOR_EVER ? Type.PUT_READ : Type.PUT_UNREAD;
            case DELETE -> operation.fate() == Operation.Fate.UNKNOWN ? Type.DELETE_UNKNOWN :
                operation.value() == Operation.ABSENT ? Type.READ :
                operation.value() == Operation.PRESENT ? Type.DELETE_PRESENT : Type.DELETE_ANY;
        };
    }

    private boolean isLinearizable()
    {
        final int count = operations.length;
        final Integer[] dues = new Integer[3 * count];
        Arrays.setAll(dues, i -> i);
        Arrays.sort(dues, Comparator.comparingLong(this::dueNs));
        current.add(0, KeyState.ABSENT);
        int begun = 0;
        for (final int due : dues)
        {
            nowNs = dueNs(due);
            if (nowNs == Long.MAX_VALUE)
            {
                break;
            }
            while (begun < count && operations[begun].invokeNs() <= nowNs)
            {
                begin(begun++);
            }
            if (due >= count)
            {
                expire(due % count, due >= 2 * count);
            }
            else
            {
                end(due);
            }
            if (current.size() == 0)
            {
                failed = due % count;
                return false;
            }
        }
        return true;
    }

    /** When an operation must have taken effect, its key's time has come, or its key is gone. */
    private long dueNs(final int due)
    {
        final int count = operations.length;
        return due < count ? endsNs[due] : due < 2 * count ? latestNs[due - count] : goneNs[due - 2 * count];
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
        switch (operations[i].kind())
        {
            case PUT ->
            {
                isPutInexhaustible |= ++unknownPuts > MAX_UNKNOWN;
                isTimeUnknown |= operations[i].ttlNs() != Operation.FOR_EVER;
                isDeleteInexhaustible |= isPutInexhaustible && isTimeUnknown;
                return isPutInexhaustible;
            }
            case TOUCH ->
            {
                isTouchInexhaustible |= ++unknownTouches > MAX_UNKNOWN;
                isDeleteInexhaustible |= isTouchInexhaustible;
                return isTouchInexhaustible;
            }
            default ->
            {
                isDeleteInexhaustible |= ++unknownDeletes > MAX_UNKNOWN;
                return isDeleteInexhaustible;
            }
        }
    }

    /** The time that a write set has come, or its key is gone, wherever that is still the key's time. */
    private void expire(final int write, final boolean isGone)
    {
        goalTime = write;
        isGoalGone = isGone;
        exploreAll();
        goalTime = KeyState.NONE;
    }

    private void end(final int i)
    {
        final long bit = 1L << bits[i];
        goalBit = bit;
        exploreAll();
        goalBit = 0;
        if (versions[i] != Operation.NO_VERSION)
        {
            returnedVersion = Math.max(returnedVersion, versions[i]);
        }
        pendingBits &= ~bit;
        readBits &= ~bit;
        versionedBits &= ~bit;
        bits[i] = NO_BIT;
    }

    private void exploreAll()
    {
        next.clear();
        seen.clear();
        for (int c = 0; c < current.size(); c++)
        {
            explore(current.mask(c), current.state(c));
        }
        current.clear();
        for (int c = 0; c < next.size(); c++)
        {
            if (!isDominated(next.mask(c), next.state(c)))
            {
                current.add(next.mask(c), next.state(c));
            }
        }
    }

    private boolean isReached(final long mask, final long state)
    {
        return goalBit != 0 ? (mask & goalBit) != 0 :
            KeyState.time(state) != goalTime || !isGoalGone && !KeyState.isLive(state);
    }

    /** Adds to the next pairs all those that come of one when the goal is reached. */
    private void explore(final long mask, final long state)
    {
        if (isReached(mask, state))
        {
            next.add(mask & ~goalBit, state);
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
                final long after = after(write, state);
                final long done = mask | 1L << number;
                if ((optionalBits & 1L << number) == 0 || isOfUse(done, state, after))
                {
                    explore(withReads(done, after), after);
                }
            }
        }
        if (isPutInexhaustible)
        {
            exploreIfOfUse(mask, state, KeyState.of(KeyState.UNREAD, KeyState.NONE));
        }
        if (isDeleteInexhaustible)
        {
            exploreIfOfUse(mask, state, KeyState.ABSENT);
        }
        if (isTouchInexhaustible && KeyState.isLive(state))
        {
            exploreIfOfUse(mask, state, KeyState.of(KeyState.put(state), KeyState.NONE));
        }
        exploreExpiry(mask, state);
    }

    private void exploreIfOfUse(final long mask, final long state, final long after)
    {
        if (isOfUse(mask, state, after))
        {
            explore(withReads(mask, after), after);
        }
    }

    private void exploreExpiry(final long mask, final long state)
    {
        final int time = KeyState.time(state);
        if (time == KeyState.NONE || earliestNs[time] > nowNs)
        {
            return;
        }
        final boolean isLive = KeyState.isLive(state);
        final long after = isLive ? KeyState.overdue(state) : KeyState.ABSENT;
        if (goalTime == time || isLive && explains(mask, state, after))
        {
            explore(withReads(mask, after), after);
        }
    }

    private long after(final int write, final long state)
    {
        final Operation operation = operations[write];
        if (operation.kind() == Operation.Kind.DELETE)
        {
            return KeyState.ABSENT;
        }
        final int time = operation.ttlNs() > 0 ? write :
            operation.ttlNs() == Operation.KEEP && KeyState.isLive(state) ? KeyState.time(state) : KeyState.NONE;
        return KeyState.of(
            operation.kind() == Operation.Kind.TOUCH ? KeyState.put(state) :
            types[write] == Type.PUT_UNREAD ? KeyState.UNREAD : write, time);
    }

    /** Whether a write that need not take effect would explain something by doing so now. */
    private boolean isOfUse(final long mask, final long state, final long after)
    {
        return KeyState.time(state) != KeyState.time(after) ||
            KeyState.isLive(state) != KeyState.isLive(after) && explains(mask, state, after);
    }

    /** Whether something that is pending may take effect in one state and not in the other. */
    private boolean explains(final long mask, final long state, final long after)
    {
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
        final boolean isLive = KeyState.isLive(state);
        if (!isLive)
        {
            final Type type = types[write];
            if (type == Type.DELETE_PRESENT || type == Type.DELETE_UNKNOWN || type == Type.DELETE_IF ||
                type == Type.TOUCH)
            {
                return false;
            }
        }
        final long expected = operations[write].expected();
        return expected == Operation.ANY || (expected == Operation.ABSENT ? !isLive :
            isLive && (expected == Operation.PRESENT || KeyState.put(state) == puts[write]));
    }

    private boolean isNext(final int write, final long mask, final long state)
    {
        final Type type = types[write];
        if (!mayFollow(write, state))
        {
            return false;
        }
        if (endsNs[write] == Long.MAX_VALUE && isInexhaustible(operations[write].kind()))
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

    private boolean isInexhaustible(final Operation.Kind kind)
    {
        return kind == Operation.Kind.PUT ? isPutInexhaustible :
            kind == Operation.Kind.TOUCH ? isTouchInexhaustible : isDeleteInexhaustible;
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

    /** Whether a lookup may see a state, or a write that found no key may have found none. */
    private boolean isSeen(final int read, final long state)
    {
        final Operation operation = operations[read];
        if (operation.value() == Operation.ABSENT)
        {
            return !KeyState.isLive(state);
        }
        return switch (operation.kind())
        {
            // These may be READs.
            case CONTAINS -> state != KeyState.ABSENT;
            case GET -> KeyState.put(state) == puts[read] && state != KeyState.ABSENT;
            case TTL -> KeyState.isLive(state) && hasTime(read, KeyState.time(state));
            default -> KeyState.isLive(state) && KeyState.put(state) == puts[read];
        };
    }

    /** Whether the time that was left may be that of a write, or none. */
    private boolean hasTime(final int ttl, final int write)
    {
        final long leftNs = operations[ttl].ttlNs();
        return leftNs == Operation.FOR_EVER || write == KeyState.NONE ?
            leftNs == Operation.FOR_EVER && write == KeyState.NONE :
            times.earliestNs(operations[ttl].invokeNs(), leftNs) <= latestNs[write] &&
            earliestNs[write] <= times.latestNs(operations[ttl].returnNs(), leftNs);
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
