package org.onesided.model;

import java.util.Arrays;

/**
 * Three replicas of a replicated log, as part of a state of a model. A model adds bytes of its own to each replica, and
 * more behind them.
 *
 * <pre>
 *   newest term | replica 0 | replica 1 | replica 2 | bytes of the model
 *
 *   replica = term | leads | length of the log | committed | applied | log | bytes of the model
 *   entry   = term:3 | kind:5
 * </pre>
 *
 * <p>Steps are as large as they can be without hiding an order that matters:
 * <ul>
 * <li>An election and its votes are one step. A replica that was not asked does not know of it, and an old leader goes
 * on as one until it hears of a newer term.
 * <li>A follower takes a leader's whole log at once. Its answer arrives at once, too; the leader may act on it at any
 * later time, since it applies what is committed in steps of their own. A follower learns with an append what was
 * committed before.
 * <li>A replica that is stopped (SIGSTOP) or cut off is one that takes no step for as long as it likes, so it needs no
 * state. Its memory can be READ all the same.
 * <li>Term and log outlive a kill; what is applied does not.
 * </ul>
 */
class Replicas
{
    static final int COUNT = 3;
    /** Entries that a log has room for. */
    static final int ROOM = 10;
    /** Kind of the entry that a leader appends when it is elected. */
    static final int ELECTED = 1;

    private static final int KIND_BITS = 5;
    private static final int KIND_MASK = (1 << KIND_BITS) - 1;

    private static final int TERM = 0;
    private static final int LEADS = TERM + 1;
    private static final int SIZE = LEADS + 1;
    private static final int COMMITTED = SIZE + 1;
    private static final int APPLIED = COMMITTED + 1;
    private static final int LOG = APPLIED + 1;
    private static final int OWN = LOG + ROOM;
    private static final int FIRST = 1;

    final byte[] bytes;
    private final int ownBytes;

    Replicas(final byte[] bytes, final int ownBytes)
    {
        this.bytes = bytes;
        this.ownBytes = ownBytes;
    }

    /** Length of this part of a state, where a model adds this many bytes to each replica. */
    static int length(final int ownBytes)
    {
        return FIRST + COUNT * (OWN + ownBytes);
    }

    /** The first replica leads, and nothing is logged. */
    final void begin()
    {
        newestTerm(1);
        for (int i = 0; i < COUNT; i++)
        {
            set(i, TERM, 1);
        }
        set(0, LEADS, 1);
    }

    final int newestTerm()
    {
        return bytes[0];
    }

    private void newestTerm(final int term)
    {
        bytes[0] = (byte)term;
    }

    final int own(final int replica, final int field)
    {
        return bytes[at(replica, OWN + field)];
    }

    final void own(final int replica, final int field, final int value)
    {
        bytes[at(replica, OWN + field)] = (byte)value;
    }

    final int term(final int replica)
    {
        return get(replica, TERM);
    }

    /** Whether the replica believes that it leads. */
    final boolean isLeader(final int replica)
    {
        return get(replica, LEADS) != 0;
    }

    /** Entries in the log. */
    final int logged(final int replica)
    {
        return get(replica, SIZE);
    }

    /** Entries that the replica knows to be committed. */
    final int committed(final int replica)
    {
        return get(replica, COMMITTED);
    }

    /** Entries that the region shows. */
    final int applied(final int replica)
    {
        return get(replica, APPLIED);
    }

    final int kind(final int replica, final int index)
    {
        return get(replica, LOG + index) & KIND_MASK;
    }

    final int termOf(final int replica, final int index)
    {
        return index < 0 ? 0 : get(replica, LOG + index) >> KIND_BITS;
    }

    /** Appends an entry to a leader's log. */
    final void propose(final int replica, final int kind)
    {
        final int length = logged(replica);
        set(replica, LOG + length, term(replica) << KIND_BITS | kind);
        set(replica, SIZE, length + 1);
    }

    /** Whether a replica's log is not behind another's. */
    final boolean canElect(final int candidate, final int voter)
    {
        final int own = termOf(candidate, logged(candidate) - 1);
        final int other = termOf(voter, logged(voter) - 1);
        return own > other || own == other && logged(candidate) >= logged(voter);
    }

    /** The candidate leads by its own vote and another's. */
    final void elect(final int candidate, final int voter)
    {
        newestTerm(newestTerm() + 1);
        follow(candidate, newestTerm());
        follow(voter, newestTerm());
        set(candidate, LEADS, 1);
        propose(candidate, ELECTED);
    }

    final boolean canReplicate(final int leader, final int follower)
    {
        return isLeader(leader) && leader != follower && term(follower) <= term(leader);
    }

    /** The follower takes the leader's log, and learns what was committed before; the leader learns that it did. */
    final void replicate(final int leader, final int follower)
    {
        if (isLeader(follower) || term(follower) < term(leader))
        {
            follow(follower, term(leader));
        }
        System.arraycopy(bytes, at(leader, LOG), bytes, at(follower, LOG), ROOM);
        set(follower, SIZE, logged(leader));
        set(follower, COMMITTED, Math.max(committed(follower), committed(leader)));
        set(leader, COMMITTED, logged(leader));
    }

    /** Takes the next committed entry into the region. */
    final void applyNext(final int replica)
    {
        set(replica, APPLIED, applied(replica) + 1);
    }

    /** The replica is killed, and comes again. */
    final void restart(final int replica)
    {
        follow(replica, term(replica));
        forgetApplied(replica);
    }

    /** The region begins anew, and what is committed is learned anew. */
    final void forgetApplied(final int replica)
    {
        set(replica, COMMITTED, 0);
        set(replica, APPLIED, 0);
    }

    private void follow(final int replica, final int term)
    {
        set(replica, TERM, term);
        set(replica, LEADS, 0);
        resign(replica);
    }

    /** Told when a replica leads no more, or never did. */
    void resign(final int replica)
    {
    }

    /** The place of each replica if they are put into an order that does not depend on their numbers. */
    final int[] places()
    {
        final int[] places = new int[COUNT];
        for (int i = 0; i < COUNT; i++)
        {
            for (int j = 0; j < COUNT; j++)
            {
                final int order = Arrays.compare(bytes, at(j, 0), at(j + 1, 0), bytes, at(i, 0), at(i + 1, 0));
                places[i] += order < 0 || order == 0 && j < i ? 1 : 0;
            }
        }
        return places;
    }

    /** Copies the replicas to their places. */
    final void arrange(final byte[] to, final int[] places)
    {
        for (int i = 0; i < COUNT; i++)
        {
            System.arraycopy(bytes, at(i, 0), to, at(places[i], 0), OWN + ownBytes);
        }
    }

    final String text(final int replica)
    {
        final StringBuilder text = new StringBuilder();
        text.append(isLeader(replica) ? "LEADER" : "follower").append(" term=").append(term(replica)).append(" log=");
        for (int i = 0; i < logged(replica); i++)
        {
            text.append(termOf(replica, i)).append(':').append(kind(replica, i)).append(' ');
        }
        return text + "committed=" + committed(replica) + " applied=" + applied(replica);
    }

    private int get(final int replica, final int field)
    {
        return bytes[at(replica, field)];
    }

    private void set(final int replica, final int field, final int value)
    {
        bytes[at(replica, field)] = (byte)value;
    }

    private int at(final int replica, final int field)
    {
        return FIRST + replica * (OWN + ownBytes) + field;
    }
}
