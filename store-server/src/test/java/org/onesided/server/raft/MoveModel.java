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
    /** Kinds of entries: nothing, both old and new members, new ones only. */
    static final int NONE = 1;
    static final int JOINT = 2;
    static final int NEW = 3;

    /** Who keeps the log before and behind it, a bit for each member. */
    enum Change
    {
        /** Member 3 takes the place of 2. */
        MOVE(0b0111, 0b1011),
        /** A second member joins the only one. */
        SECOND(0b0001, 0b0011),
        /** A third one joins two. */
        THIRD(0b0011, 0b0111),
        /** Two join the only one in one step. */
        TWO_AT_ONCE(0b0001, 0b0111);

        private final int before;
        private final int after;

        Change(final int before, final int after)
        {
            this.before = before;
            this.after = after;
        }
    }

    /** What an implementation might get wrong. */
    enum Error
    {
        NO_ERROR,
        /** A log that was closed rests, whether anybody has confirmed that the member has left or not. */
        RESTS_UNCONFIRMED,
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

    /** The cluster at a moment. Logs have an entry in each digit of base 16: its term in two bits, and its kind. */
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
        private final Change change;

        State(final Change change)
        {
            this.change = change;
            Arrays.fill(logs, new int[0]);
            for (int i = 0; i < MEMBERS; i++)
            {
                stands[i] = (change.before & 1 << i) != 0 ? Stand.UP :
                    (change.after & 1 << i) != 0 ? Stand.PASSIVE : Stand.RESTS;
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
            final String other = change == Change.SECOND || change == Change.TWO_AT_ONCE ? one : key(1, 0);
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
            int all = 0;
            for (final int entry : log)
            {
                all = all << 4 | entry;
            }
            return String.valueOf(new char[]{(char)(all >>> Character.SIZE), (char)all});
        }

        int highestTerm()
        {
            return Arrays.stream(terms).max().orElse(0);
        }

        /** The kind of the last entry about members; {@link #NONE} for the old ones. */
        int conf(final int member)
        {
            return Arrays.stream(logs[member]).map((entry) -> entry & 3).max().orElse(NONE);
        }

        /** Members after the change, if there is one. */
        int current(final int member)
        {
            return conf(member) == NONE ? change.before : change.after;
        }

        boolean isChangeCommitted()
        {
            return Arrays.stream(committed).anyMatch((entry) -> (entry & 3) == NEW);
        }

        @Override
        public String toString()
        {
            return Arrays.toString(stands) + " terms=" + Arrays.toString(terms) + " logs=" +
                Arrays.deepToString(logs) + " leads=" + Arrays.toString(leads) + " committed=" +
                Arrays.toString(committed);
        }
    }

    private final Change change;
    private final Error error;
    private final int maxTerm;
    private final int maxCrashes;
    /** Enough for the first entry of each leader, and the two of the change. */
    private final int longest;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<State> states = new ArrayList<>();
    private final List<List<Integer>> before = new ArrayList<>();
    private String violation;

    MoveModel(final Change change, final Error error, final int maxTerm, final int maxCrashes)
    {
        this.change = change;
        this.error = error;
        this.maxTerm = maxTerm;
        this.maxCrashes = maxCrashes;
        longest = maxTerm + 2;
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
            final boolean isInAll = state.conf(member) == NONE ? (change.before & 1 << member) != 0 :
                (change.after & 1 << member) != 0 && (state.conf(member) == NEW || (change.before & 1 << member) != 0);
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
        final int[] log = state.logs[leader];
        for (int i = 0; i < log.length; i++)
        {
            if ((log[i] & 3) == NEW)
            {
                return state.known[leader] > i && (state.change.after & 1 << member) == 0;
            }
        }
        return false;
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
            append(after, member, NONE);
        }
        next.accept(after);
    }

    private static boolean isUpToDate(final int[] candidate, final int... voter)
    {
        final int candidates = candidate.length == 0 ? 0 : candidate[candidate.length - 1] >> 2;
        final int voters = voter.length == 0 ? 0 : voter[voter.length - 1] >> 2;
        return candidates > voters || candidates == voters && candidate.length >= voter.length;
    }

    private boolean isMajority(final int members, final int conf)
    {
        return (conf == NEW || isMajorityOf(members, change.before)) &&
            (conf == NONE || isMajorityOf(members, change.after));
    }

    /** Whether Ratis elects a member though others are silent. They count for what it commits all the same. */
    private boolean isAlone(final int member, final int conf)
    {
        return conf == JOINT && change.before == 1 << member && error != Error.NEVER_ALONE &&
            (Integer.bitCount(change.after) == 2 || error == Error.ALONE_AMONG_MANY);
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
        log[log.length - 1] = state.terms[leader] << 2 | kind;
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
            if (conf != NEW)
            {
                final State changed = new State(state);
                append(changed, leader, conf == NONE && error != Error.NO_JOINT_STEP ? JOINT : NEW);
                next.accept(changed);
            }
        }
        final int conf = state.conf(leader);
        final int receivers = (conf == NEW ? 0 : change.before) | change.after;
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
                sent.stands[i] = conf == NONE && (change.before & 1 << i) == 0 ? state.stands[i] : Stand.UP;
                next.accept(sent);
            }
        }
        commit(state, leader, next);
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
            if (log[length - 1] >> 2 == state.terms[leader] && isMajority(have, state.conf(leader)))
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
