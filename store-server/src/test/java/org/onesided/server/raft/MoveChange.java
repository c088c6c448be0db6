package org.onesided.server.raft;

import java.util.Arrays;

/**
 * Who keeps a log before and behind each step of a change, a bit for each member; for {@link MoveModel}. Entries have
 * kinds: 1 for the first members; then, for each step, one for both old and new members, and one for new ones only.
 */
enum MoveChange
{
    /** Member 3 takes the place of 2: it comes, and then the other leaves. */
    MOVE(0b0111, 0b1111, 0b1011),
    /** The same in one step. */
    MOVE_AT_ONCE(0b0111, 0b1011),
    /** A fourth one joins three. */
    FOURTH(0b0111, 0b1111),
    /** One of four leaves. */
    LEAVE(0b1111, 0b1011),
    /** A second member joins the only one. */
    SECOND(0b0001, 0b0011),
    /** A third one joins two. */
    THIRD(0b0011, 0b0111),
    /** Two join the only one in one step. */
    TWO_AT_ONCE(0b0001, 0b0111);

    private final int[] members;

    MoveChange(final int... members)
    {
        this.members = members;
    }

    int before()
    {
        return members[0];
    }

    /** The kind of the last entry. */
    int done()
    {
        return 2 * members.length - 1;
    }

    /** Members by an entry of this kind: those that are to stay. */
    int current(final int conf)
    {
        return members[conf / 2];
    }

    /** Members that count besides. */
    int previous(final int conf)
    {
        return isJoint(conf) ? members[conf / 2 - 1] : current(conf);
    }

    /** To whom a leader sends: also to those of the next step, so that they have what there is. */
    int receivers(final int conf)
    {
        return previous(conf) | current(conf) | (isJoint(conf) || conf == done() ? 0 : members[conf / 2 + 1]);
    }

    int all()
    {
        return Arrays.stream(members).reduce(0, (one, other) -> one | other);
    }

    /** Whether the first two members are in each step, or in none: then they could be exchanged. */
    boolean areFirstTwoEqual()
    {
        return Arrays.stream(members).allMatch((each) -> (each & 3) % 3 == 0);
    }

    /** Whether both old and new members count by an entry of this kind. */
    static boolean isJoint(final int conf)
    {
        return conf % 2 == 0;
    }
}
