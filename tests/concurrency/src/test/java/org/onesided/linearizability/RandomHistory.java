package org.onesided.linearizability;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.onesided.linearizability.Operation.Fate;
import org.onesided.linearizability.Operation.Kind;

/**
 * A history made from an order in which the operations took effect, by sessions that do one after the other.
 */
final class RandomHistory
{
    private static final long STEP_NS = 100;

    private final Random random;
    private final List<Operation> operations = new ArrayList<>();

    RandomHistory(final Random random, final int count, final int sessions)
    {
        this.random = random;
        final long[] freeNs = new long[sessions];
        long state = Operation.ABSENT;
        long version = 0;
        long lastVersion = 0;
        for (int i = 0; i < count; i++)
        {
            final long momentNs = (i + 1) * STEP_NS;
            final int session = random.nextInt(sessions);
            if (freeNs[session] >= momentNs)
            {
                continue;
            }
            final int earlier = (int)Math.min(momentNs - freeNs[session], 10 * STEP_NS);
            final long invokeNs = momentNs - 1 - random.nextInt(earlier);
            final long returnNs = momentNs + random.nextInt((int)(10 * STEP_NS));
            freeNs[session] = returnNs;
            final int draw = random.nextInt(10);
            final boolean isUnknown = draw >= 6 && random.nextInt(Math.max(50, count / 100)) == 0;
            final boolean hasEffect = !isUnknown || random.nextBoolean();
            final Fate fate = isUnknown ? Fate.UNKNOWN : Fate.DONE;
            final int condition = random.nextInt(6);
            if (draw < 1)
            {
                add(Kind.MEET, fate, session, presence(state), state == 0 ? 0 : version, invokeNs, returnNs);
            }
            else if (draw < 5)
            {
                add(Kind.GET, fate, session, state, state == 0 ? 0 : version, invokeNs, returnNs);
            }
            else if (draw < 6)
            {
                add(Kind.CONTAINS, fate, session, presence(state), 0, invokeNs, returnNs);
            }
            else if (draw < 8)
            {
                final long value = 1000 + i;
                // Those of unknown fate have no version to tell.
                operations.add(new Operation(
                    0, Kind.PUT, fate, session, value, ++lastVersion, invokeNs, returnNs, expected(condition, state)));
                version = hasEffect ? lastVersion : version;
                state = hasEffect ? value : state;
            }
            else
            {
                final long expected = state == Operation.ABSENT ? Operation.ANY : expected(condition, state);
                operations.add(new Operation(0, Kind.DELETE, fate, session,
                    isUnknown ? Operation.ANY : presence(state), 0, invokeNs, returnNs, expected));
                state = hasEffect ? Operation.ABSENT : state;
            }
        }
    }

    List<Operation> operations()
    {
        return operations;
    }

    /** The same with another answer to one lookup. */
    List<Operation> changed()
    {
        final List<Operation> result = new ArrayList<>(operations);
        final int i = random.nextInt(result.size());
        final Operation old = result.get(i);
        if (old.kind() == Kind.GET)
        {
            final Operation other = result.get(random.nextInt(result.size()));
            final boolean isPut = other.kind() == Kind.PUT;
            result.set(i, new Operation(
                0, Kind.GET, Fate.DONE, old.session(), isPut ? other.value() : 0, isPut ? other.version() : 0,
                old.invokeNs(), old.returnNs()));
        }
        else if (old.isWrite() && old.expected() != Operation.ANY)
        {
            final Operation other = result.get(random.nextInt(result.size()));
            final long another = other.kind() == Kind.PUT && other != old ? other.value() :
                Operation.PRESENT - presence(old.expected());
            result.set(i, new Operation(
                0, old.kind(), old.fate(), old.session(), old.value(), old.version(), old.invokeNs(), old.returnNs(),
                old.kind() == Kind.DELETE ? Operation.PRESENT : another));
        }
        else if (old.kind() == Kind.MEET)
        {
            final Operation other = result.get(random.nextInt(result.size()));
            final boolean isPut = other.kind() == Kind.PUT;
            result.set(i, new Operation(
                0, Kind.MEET, Fate.DONE, old.session(), isPut ? Operation.PRESENT : Operation.ABSENT,
                isPut ? other.version() : 0, old.invokeNs(), old.returnNs()));
        }
        else if (!old.isWrite() || old.kind() == Kind.DELETE && old.fate() == Fate.DONE)
        {
            result.set(i, old.withValue(Operation.PRESENT - old.value()));
        }
        return result;
    }

    /** The same with a lookup at the end that saw the first value. */
    List<Operation> withOneStaleRead()
    {
        final List<Operation> result = new ArrayList<>(operations);
        final Operation first = result.stream().filter(o -> o.kind() == Kind.PUT).findFirst().orElseThrow();
        final long endNs = (operations.size() + 100) * 100 * STEP_NS;
        result.add(new Operation(
            0, Kind.GET, Fate.DONE, 0, first.value(), first.version(), endNs, endNs + 1));
        return result;
    }

    /** What a write that takes effect in a state may have been to find. */
    private static long expected(final int condition, final long state)
    {
        return condition < 2 ? state : condition == 2 ? presence(state) : Operation.ANY;
    }

    private static long presence(final long state)
    {
        return state == Operation.ABSENT ? Operation.ABSENT : Operation.PRESENT;
    }

    private void add(
        final Kind kind,
        final Fate fate,
        final int session,
        final long value,
        final long version,
        final long invokeNs,
        final long returnNs)
    {
        operations.add(new Operation(0, kind, fate, session, value, version, invokeNs, returnNs));
    }
}
