package org.onesided.model;

import java.util.ArrayList;
import java.util.List;

/**
 * A server that retires pieces of memory one after the other, a session that READs them, and the life line that
 * confirms for the session. Piece number n is retired by epoch n, and gone once epoch n is confirmed.
 *
 * @param retired  epoch of what the server retired last.
 * @param gone     epoch up to which memory is given back.
 * @param words    that the session's thread and that of the life line share.
 * @param session  its thread.
 * @param lifeLine its thread.
 */
record ReleaseState(int retired, int gone, Words words, Session session, LifeLine lifeLine)
{
    /** No piece. */
    static final int NONE = 0;
    /** READs that may be in flight at a time, each in a lane of its own. */
    static final int LANES = 2;

    /** What the session does next. */
    enum Phase
    {
        /** Nothing, or begins an operation with a look. */
        REST,
        /** Looks at what is retired. */
        LOOK,
        /** Chooses a piece, posts the READ of the chosen one, looks again, or rests. */
        READ
    }

    /** What the life line does next. */
    enum Step
    {
        /** Takes what the server announces, or prepares to confirm. */
        IDLE,
        /** Passes the heavy fence. */
        FENCE,
        /** Looks whether the session is at rest. */
        LOOK_AGAIN,
        /** Confirms. */
        CONFIRM
    }

    /**
     * The words of a {@code Confirmation}, as others than the session's thread see them.
     *
     * @param newest    what the life line announced to the session.
     * @param isReading whether the session is amid an operation.
     * @param confirmed what the session's thread has confirmed.
     * @param stores    of the session's thread that nobody else sees yet, oldest first.
     */
    record Words(int newest, boolean isReading, int confirmed, List<Store> stores)
    {
        Words announced(final int epoch)
        {
            return new Words(epoch, isReading, confirmed, stores);
        }

        /** Stores a word, for the session itself as yet. */
        Words stored(final boolean isToReading, final int value)
        {
            final List<Store> next = new ArrayList<>(stores);
            next.add(new Store(isToReading, value));
            return new Words(newest, isReading, confirmed, List.copyOf(next));
        }

        /** The oldest store becomes visible to all. */
        Words drained()
        {
            final Store oldest = stores.get(0);
            final List<Store> rest = List.copyOf(stores.subList(1, stores.size()));
            return oldest.isToReading ?
                new Words(newest, oldest.value != 0, confirmed, rest) :
                new Words(newest, isReading, oldest.value, rest);
        }

        /** All stores become visible to all. */
        Words fenced()
        {
            Words fenced = this;
            while (!fenced.stores.isEmpty())
            {
                fenced = fenced.drained();
            }
            return fenced;
        }
    }

    /**
     * A store in the session's store buffer.
     *
     * @param isToReading whether it is to {@link Words#isReading}; if not, to {@link Words#confirmed}.
     * @param value       1 for true.
     */
    record Store(boolean isToReading, int value)
    {
    }

    /**
     * The session's thread.
     *
     * @param phase   what it does next.
     * @param looks   that it may still begin.
     * @param known   epoch that it chooses by.
     * @param settled epoch that it has confirmed.
     * @param chosen  piece that is READ next, or {@link #NONE}.
     * @param lanes   piece that the READ in flight of each lane goes to, or {@link #NONE}.
     * @param older   lanes whose READ may have been chosen by an older epoch, one bit each.
     */
    record Session(Phase phase, int looks, int known, int settled, int chosen, List<Integer> lanes, int older)
    {
        /** Goes on with another phase, with nothing chosen. */
        Session next(final Phase next)
        {
            return new Session(next, looks, known, settled, NONE, lanes, older);
        }

        Session lookBegun()
        {
            return new Session(Phase.LOOK, looks - 1, known, settled, NONE, lanes, older);
        }

        Session looked(final int newKnown, final int newSettled, final int newOlder)
        {
            return new Session(Phase.READ, looks, newKnown, newSettled, NONE, lanes, newOlder);
        }

        Session choosing(final int piece)
        {
            return new Session(phase, looks, known, settled, piece, lanes, older);
        }

        /** A lane's READ is posted, or ends. */
        Session lane(final int lane, final int piece)
        {
            final List<Integer> next = new ArrayList<>(lanes);
            next.set(lane, piece);
            return new Session(phase, looks, known, settled, chosen, List.copyOf(next), older);
        }

        /** The lanes with READs in flight, one bit each. */
        int reading()
        {
            int reading = 0;
            for (int i = 0; i < LANES; i++)
            {
                reading |= lanes.get(i) == NONE ? 0 : 1 << i;
            }
            return reading;
        }
    }

    /**
     * The life line's thread.
     *
     * @param step      what it does next.
     * @param announced epoch that it has received.
     * @param candidate epoch that it may confirm for a session at rest.
     * @param atRest    epoch that it has confirmed for a session at rest.
     */
    record LifeLine(Step step, int announced, int candidate, int atRest)
    {
        LifeLine next(final Step next)
        {
            return new LifeLine(next, announced, candidate, atRest);
        }
    }

    static ReleaseState start(final int looks)
    {
        return new ReleaseState(0, 0,
            new Words(0, false, 0, List.of()),
            new Session(Phase.REST, looks, 0, 0, NONE, List.of(NONE, NONE), 0),
            new LifeLine(Step.IDLE, 0, 0, 0));
    }

    /** Whether a READ in flight goes to memory that is gone. */
    boolean isWrong()
    {
        return session.lanes.stream().anyMatch(piece -> piece != NONE && piece <= gone);
    }

    /** The server retires the next piece. */
    ReleaseState retire()
    {
        return new ReleaseState(retired + 1, gone, words, session, lifeLine);
    }

    /** The server gives back what is confirmed. */
    ReleaseState giveBack(final int epoch)
    {
        return new ReleaseState(retired, Math.max(gone, epoch), words, session, lifeLine);
    }

    ReleaseState with(final Words next)
    {
        return new ReleaseState(retired, gone, next, session, lifeLine);
    }

    ReleaseState with(final Session next)
    {
        return new ReleaseState(retired, gone, words, next, lifeLine);
    }

    ReleaseState with(final LifeLine next)
    {
        return new ReleaseState(retired, gone, words, session, next);
    }
}
