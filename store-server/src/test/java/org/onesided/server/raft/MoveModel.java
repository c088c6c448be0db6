package org.onesided.server.raft;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Who keeps a log changes, in all orders in which that can happen: a replica moves, or others come. Members elect as
 * Ratis does, which closes a log whose member stands for election and is none of the next members, lets a member that
 * starts with such a log take no part until a leader sends to it, and the only member that gets a second one elect
 * itself without that one's vote. Members die, and lose what they have not flushed; they come back with the rest.
 */
final class MoveModel
{
    static final int MEMBERS = 4;
    /** Kinds of entries. */
    static final int NONE = 1;
    static final int JOINT = 2;
    private static final int KIND_BITS = 3;
    private static final int KINDS = (1 << KIND_BITS) - 1;

    /** What an implementation might get wrong. */
    enum Error
    {
        NO_ERROR,
        /** Not in the code, but what Raft says and Ratis does not: a leader's first entry keeps both majorities. */
        FIRST_ENTRY_IS_JOINT,
        /** A log that was closed rests, whether anybody has confirmed that the member has left or not. */
        RESTS_UNCONFIRMED,
        /** A member leaves though the one that has come may not vote yet. */
        LEAVES_EARLY,
        /** The leader logs the new members without the step in which both count. */
        NO_JOINT_STEP,
        /** The only member elects itself while others join, however many. */
        ALONE_AMONG_MANY,
        /** The only member needs the vote of the second one as soon as it has logged that this one joins. */
        NEVER_ALONE
    }

    enum Stand
    {
        /** Takes part. */
        UP,
        DOWN,
        /** Its log is open, and it does not vote. */
        PASSIVE,
        /** Ratis has closed its log. */
        CLOSED,
        /** Its log stays closed. */
        RESTS
    }

    /** The cluster at a moment. Logs have a number for each entry: its term, and its kind in the last bits. */
    static final class State
    {
        final Stand[] stands = new Stand[MEMBERS];
        final int[] terms = new int[MEMBERS];
        /** Entries of each member, the oldest first. */
        final int[][] logs = new int[MEMBERS][];
        /** How many are on its disk: all, or all but the last one of a leader. */
        final int[] flushed = new int[MEMBERS];
        final boolean[] leads = new boolean[MEMBERS];
        /** How many a leader knows to be committed. */
        final int[] known = new int[MEMBERS];
        /** All that any leader has ever committed. */
        int[] committed = {};
        int crashes;
        private final MoveChange change;

        State(final MoveChange change)
        {
            this.change = change;
            Arrays.fill(logs, new int[0]);
            for (int i = 0; i < MEMBERS; i++)
            {
                stands[i] = (change.before() & 1 << i) != 0 ? Stand.UP :
                    (change.all() & 1 << i) != 0 ? Stand.PASSIVE : Stand.RESTS;
            }
        }

        State(final State other)
        {
            change = other.change;
            System.arraycopy(other.stands, 0, stands, 0, MEMBERS);
            System.arraycopy(other.terms, 0, terms, 0, MEMBERS);
            System.arraycopy(other.logs, 0, logs, 0, MEMBERS);
            System.arraycopy(other.flushed, 0, flushed, 0, MEMBERS);
            System.arraycopy(other.leads, 0, leads, 0, MEMBERS);
            System.arraycopy(other.known, 0, known, 0, MEMBERS);
            committed = other.committed;
            crashes = other.crashes;
        }

        /** The same for states that differ only in which of the two members is which that stay, if two do. */
        String key()
        {
            final String one = key(0, 1);
            final boolean areEqual = change.areFirstTwoEqual();
            final String other = areEqual ? key(1, 0) : one;
            return one.compareTo(other) < 0 ? one : other;
        }

        private String key(final int first, final int second)
        {
            final StringBuilder key = new StringBuilder(MEMBERS * 3 + 2);
            for (final int i : new int[]{first, second, 2, MEMBERS - 1})
            {
                key.append((char)('0' + stands[i].ordinal() + 8 * terms[i]))
                    .append((char)('0' + flushed[i] + 8 * known[i] + (leads[i] ? 64 : 0))).append(packed(logs[i]));
            }
            return key.append(packed(committed)).append((char)('0' + crashes)).toString();
        }

        private static String packed(final int... log)
        {
            long all = 0;
            for (final int entry : log)
            {
                all = all << KIND_BITS + 2 | entry;
            }
            return String.valueOf(new char[]{
                (char)(all >>> 2 * Character.SIZE), (char)(all >>> Character.SIZE), (char)all});
        }

        int highestTerm()
        {
            return Arrays.stream(terms).max().orElse(0);
        }

        /** The kind of the last entry about members; {@link #NONE} for the old ones. */
        int conf(final int member)
        {
            return Arrays.stream(logs[member]).map((entry) -> entry & KINDS).max().orElse(NONE);
        }

        /** Members after the change, if there is one. */
        int current(final int member)
        {
            return change.current(conf(member));
        }

        boolean isChangeCommitted()
        {
            return Arrays.stream(committed).anyMatch((entry) -> (entry & KINDS) == change.done());
        }

        @Override
        public String toString()
        {
            return Arrays.toString(stands) + " terms=" + Arrays.toString(terms) + " logs=" +
                Arrays.deepToString(logs) + " leads=" + Arrays.toString(leads) + " committed=" +
                Arrays.toString(committed);
        }
    }

    private final MoveChange change;
    private final Error error;
    private final int maxTerm;
    private final int maxCrashes;
    /** Enough for the first entry of each leader, and the two of each step. */
    private final int longest;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<State> states = new ArrayList<>();
    private final List<List<Integer>> before = new ArrayList<>();
    private String violation;

    MoveModel(final MoveChange change, final Error error, final int maxTerm, final int maxCrashes)
    {
        this.change = change;
        this.error = error;
        this.maxTerm = maxTerm;
        this.maxCrashes = maxCrashes;
        longest = maxTerm + change.done() - 1;
    }

    /** Looks at all states; returns what is wrong with one, or null. */
    String search()
    {
        number(new State(change));
        for (int i = 0; i < states.size() && violation == null; i++)
        {
            final int from = i;
            steps(states.get(i), (next) ->
            {
                final int to = number(next);
                if (violation == null)
                {
                    check(next);
                    before.get(to).add(from);
                }
            });
        }
        return violation;
    }

    int count()
    {
        return states.size();
    }

    private int number(final State state)
    {
        return numbers.computeIfAbsent(state.key(), (key) ->
        {
            states.add(state);
            before.add(new ArrayList<>(2));
            return states.size() - 1;
        });
    }

    /**
     * States from which the change can never be made, whatever else happens.
     *
     * @param least terms that are left in them: without a term, nobody is elected.
     */
    List<State> stuck(final int least)
    {
        final boolean[] isGood = new boolean[states.size()];
        final List<Integer> open = new ArrayList<>();
        for (int i = 0; i < isGood.length; i++)
        {
            if (states.get(i).isChangeCommitted())
            {
                isGood[i] = true;
                open.add(i);
            }
        }
        while (!open.isEmpty())
        {
            for (final int from : before.get(open.remove(open.size() - 1)))
            {
                if (!isGood[from])
                {
                    isGood[from] = true;
                    open.add(from);
                }
            }
        }
        final List<State> stuck = new ArrayList<>();
        for (int i = 0; i < isGood.length; i++)
        {
            if (!isGood[i] && states.get(i).highestTerm() + least <= maxTerm)
            {
                stuck.add(states.get(i));
            }
        }
        return stuck;
    }

    private void check(final State state)
    {
        final int highest = state.highestTerm();
        for (int i = 0; i < MEMBERS; i++)
        {
            for (int j = 0; j < MEMBERS; j++)
            {
                if (state.leads[i] && state.terms[i] == highest && state.stands[j] == Stand.RESTS &&
                    (state.current(i) & 1 << j) != 0)
                {
                    violation = "a member rests that a leader counts: " + state;
                }
            }
        }
    }

    private void steps(final State state, final Consumer<State> next)
    {
        for (int i = 0; i < MEMBERS; i++)
        {
            if (state.leads[i])
            {
                lead(state, i, next);
            }
            else if (state.stands[i] == Stand.UP)
            {
                stand(state, i, next);
            }
            live(state, i, next);
        }
    }

    /** Ends and begins. */
    private void live(final State state, final int member, final Consumer<State> next)
    {
        final Stand stand = state.stands[member];
        if (stand != Stand.DOWN && state.crashes < maxCrashes)
        {
            final State down = new State(state);
            down.stands[member] = stand == Stand.RESTS ? Stand.RESTS : Stand.DOWN;
            down.leads[member] = false;
            down.known[member] = 0;
            down.logs[member] = Arrays.copyOf(state.logs[member], state.flushed[member]);
            down.crashes++;
            next.accept(down);
        }
        if (stand == Stand.DOWN || stand == Stand.CLOSED && error != Error.RESTS_UNCONFIRMED)
        {
            final State up = new State(state);
            final int conf = state.conf(member);
            final boolean isInAll = (change.current(conf) & change.previous(conf) & 1 << member) != 0;
            up.stands[member] = isInAll ? Stand.UP : Stand.PASSIVE;
            next.accept(up);
        }
        if (stand == Stand.CLOSED && (error == Error.RESTS_UNCONFIRMED || isConfirmed(state, member)))
        {
            final State rests = new State(state);
            rests.stands[member] = Stand.RESTS;
            next.accept(rests);
        }
    }

    /** Whether a leader says that the members are committed without this one. */
    private static boolean isConfirmed(final State state, final int member)
    {
        for (int i = 0; i < MEMBERS; i++)
        {
            if (state.leads[i] && state.terms[i] >= state.terms[member] && isSettledWithout(state, i, member))
            {
                return true;
            }
        }
        return false;
    }

    private static boolean isSettledWithout(final State state, final int leader, final int member)
    {
        final int conf = state.conf(leader);
        if (conf == NONE || MoveChange.isJoint(conf) || (state.current(leader) & 1 << member) != 0)
        {
            return false;
        }
        int first = 0;
        while ((state.logs[leader][first] & KINDS) != conf)
        {
            first++;
        }
        return state.known[leader] > first;
    }

    private void stand(final State state, final int member, final Consumer<State> next)
    {
        boolean isTold = (state.current(member) & 1 << member) == 0;
        for (int i = 0; i < MEMBERS; i++)
        {
            isTold |= state.leads[i] && isSettledWithout(state, i, member);
        }
        if (isTold)
        {
            final State closed = new State(state);
            closed.stands[member] = Stand.CLOSED;
            next.accept(closed);
        }
        final int term = state.terms[member] + 1;
        if (term > maxTerm || (state.current(member) & 1 << member) == 0 || state.logs[member].length == longest)
        {
            return;
        }
        for (int asked = 0; asked < 1 << MEMBERS; asked++)
        {
            if ((asked & 1 << member) == 0)
            {
                elect(state, member, term, asked, next);
            }
        }
    }

    private void elect(
        final State state, final int member, final int term, final int asked, final Consumer<State> next)
    {
        final State after = new State(state);
        after.terms[member] = term;
        int votes = 1 << member;
        for (int i = 0; i < MEMBERS; i++)
        {
            if ((asked & 1 << i) != 0)
            {
                if (state.stands[i] != Stand.UP || state.terms[i] >= term ||
                    (state.current(i) & 1 << member) == 0)
                {
                    // The same as if it were not asked.
                    return;
                }
                after.terms[i] = term;
                after.leads[i] = false;
                after.known[i] = 0;
                after.flushed[i] = state.logs[i].length;
                votes |= isUpToDate(state.logs[member], state.logs[i]) ? 1 << i : 0;
            }
        }
        if (isMajority(votes, state.conf(member)) || isAlone(member, state.conf(member)))
        {
            for (int i = 0; i < MEMBERS && error != Error.NO_JOINT_STEP; i++)
            {
                if (after.leads[i] && after.terms[i] == term)
                {
                    violation = "two lead in a term: " + after;
                }
            }
            after.leads[member] = true;
            if (!Arrays.equals(state.committed, Arrays.copyOf(state.logs[member],
                Math.min(state.committed.length, state.logs[member].length))))
            {
                violation = "a leader lacks what is committed: " + after;
            }
            // Ratis takes the newest members, and forgets those before.
            final int conf = state.conf(member);
            append(after, member, MoveChange.isJoint(conf) && error != Error.FIRST_ENTRY_IS_JOINT ? conf + 1 : conf);
        }
        next.accept(after);
    }

    private static boolean isUpToDate(final int[] candidate, final int... voter)
    {
        final int candidates = candidate.length == 0 ? 0 : candidate[candidate.length - 1] >> KIND_BITS;
        final int voters = voter.length == 0 ? 0 : voter[voter.length - 1] >> KIND_BITS;
        return candidates > voters || candidates == voters && candidate.length >= voter.length;
    }

    private boolean isMajority(final int members, final int conf)
    {
        return isMajorityOf(members, change.previous(conf)) && isMajorityOf(members, change.current(conf));
    }

    /** Whether Ratis elects a member though others are silent. They count for what it commits all the same. */
    private boolean isAlone(final int member, final int conf)
    {
        return conf == JOINT && change.before() == 1 << member && error != Error.NEVER_ALONE &&
            (Integer.bitCount(change.current(conf)) == 2 || error == Error.ALONE_AMONG_MANY);
    }

    private static boolean isMajorityOf(final int members, final int all)
    {
        return 2 * Integer.bitCount(members & all) > Integer.bitCount(all);
    }

    /** What a leader has before is on its disk; what comes is not yet. */
    private static void append(final State state, final int leader, final int kind)
    {
        final int[] log = Arrays.copyOf(state.logs[leader], state.logs[leader].length + 1);
        state.flushed[leader] = log.length - 1;
        log[log.length - 1] = state.terms[leader] << KIND_BITS | kind;
        state.logs[leader] = log;
    }

    private void lead(final State state, final int leader, final Consumer<State> next)
    {
        final int[] log = state.logs[leader];
        if (state.flushed[leader] < log.length)
        {
            final State flushed = new State(state);
            flushed.flushed[leader] = log.length;
            next.accept(flushed);
        }
        else if (log.length < longest && state.known[leader] == log.length)
        {
            // One change at a time, and none before the leader has committed something.
            final int conf = state.conf(leader);
            final int kind = MoveChange.isJoint(conf) || error != Error.NO_JOINT_STEP ? conf + 1 : conf + 2;
            if (conf != change.done() && (MoveChange.isJoint(conf) || mayBegin(state, leader, kind)))
            {
                final State changed = new State(state);
                append(changed, leader, kind);
                next.accept(changed);
            }
        }
        final int conf = state.conf(leader);
        final int receivers = change.receivers(conf);
        for (int i = 0; i < MEMBERS; i++)
        {
            if (i != leader && (receivers & 1 << i) != 0 && state.terms[i] <= state.terms[leader] &&
                Set.of(Stand.UP, Stand.PASSIVE).contains(state.stands[i]))
            {
                final State sent = new State(state);
                sent.logs[i] = log;
                sent.flushed[i] = log.length;
                sent.terms[i] = state.terms[leader];
                sent.leads[i] = false;
                sent.known[i] = 0;
                // Before it is a member, it is sent entries without being asked for votes.
                sent.stands[i] = ((change.previous(conf) | change.current(conf)) & 1 << i) == 0 ? state.stands[i] :
                    Stand.UP;
                next.accept(sent);
            }
        }
        commit(state, leader, next);
        // It may miss the others at any time. What it has appended gets to its disk.
        final State follower = new State(state);
        follower.leads[leader] = false;
        follower.known[leader] = 0;
        follower.flushed[leader] = log.length;
        next.accept(follower);
    }

    /** None that leads leaves. Before one leaves, all that answer and stay have what the leader has. */
    private boolean mayBegin(final State state, final int leader, final int kind)
    {
        final int stay = change.current(kind);
        final int now = state.current(leader);
        boolean mayBegin = (stay & 1 << leader) != 0;
        for (int i = 0; i < MEMBERS; i++)
        {
            final boolean isAwaited = (stay & 1 << i) != 0 && (now & ~stay) != 0 && (now & 1 << i) != 0 &&
                error != Error.LEAVES_EARLY && Set.of(Stand.UP, Stand.PASSIVE).contains(state.stands[i]);
            mayBegin &= !isAwaited || Arrays.equals(state.logs[i], state.logs[leader]);
        }
        return mayBegin;
    }

    private void commit(final State state, final int leader, final Consumer<State> next)
    {
        final int[] log = state.logs[leader];
        for (int length = log.length; length > state.known[leader]; length--)
        {
            int have = 0;
            for (int i = 0; i < MEMBERS; i++)
            {
                final boolean has = state.terms[i] == state.terms[leader] && state.flushed[i] >= length &&
                    state.logs[i].length >= length && Arrays.equals(
                    Arrays.copyOf(state.logs[i], length), Arrays.copyOf(log, length));
                have |= has ? 1 << i : 0;
            }
            if (log[length - 1] >> KIND_BITS == state.terms[leader] && isMajority(have, state.conf(leader)))
            {
                final State done = new State(state);
                done.known[leader] = length;
                final int common = Math.min(length, state.committed.length);
                if (!Arrays.equals(Arrays.copyOf(log, common), Arrays.copyOf(state.committed, common)))
                {
                    violation = "two majorities commit different entries: " + state;
                }
                done.committed = length > common ? Arrays.copyOf(log, length) : state.committed;
                next.accept(done);
                return;
            }
        }
    }
}
