package org.onesided.model;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.onesided.model.ReleaseState.LifeLine;
import org.onesided.model.ReleaseState.Phase;
import org.onesided.model.ReleaseState.Session;
import org.onesided.model.ReleaseState.Step;
import org.onesided.model.ReleaseState.Words;

/**
 * Searches all states that a session can come to which READs memory while the server retires it. Each load and each
 * store of a shared word is a step of its own. The session's stores reach others late, in their order; a heavy fence
 * makes them reach others at once, as membarrier(2) does.
 *
 * <table>
 * <caption>The steps, and whose they are</caption>
 * <tr><td>{@link #server}</td><td>the server's {@code MemoryRelease} and {@code Confirmations}: one epoch at a time
 * </td></tr>
 * <tr><td>{@link #lifeLine}</td><td>the client's {@code LifeLine}, by {@code Confirmation}'s {@code announce},
 * {@code prepare} and {@code confirmed}</td></tr>
 * <tr><td>{@link #session}</td><td>{@code Confirmation}'s {@code look} and {@code rest}, and what the session does in
 * between</td></tr>
 * <tr><td>{@link #device}</td><td>READs end, and stores reach others, at any time</td></tr>
 * </table>
 */
final class ReleaseSearch
{
    private final ReleaseFlaw flaw;
    private final int pieces;
    private final int looks;
    /** Each state that was seen, and the one that it comes of. */
    private final Map<ReleaseState, ReleaseState> origins = new HashMap<>();
    private final Deque<ReleaseState> next = new ArrayDeque<>();
    private ReleaseState from;

    /**
     * @param flaw   of session, life line or server; null for none.
     * @param pieces that the server retires, at most.
     * @param looks  of the session, at most.
     */
    ReleaseSearch(final ReleaseFlaw flaw, final int pieces, final int looks)
    {
        this.flaw = flaw;
        this.pieces = pieces;
        this.looks = looks;
    }

    int states()
    {
        return origins.size();
    }

    /** The fewest steps that lead to a READ of memory that is gone; null if there are none. */
    String violation()
    {
        add(ReleaseState.start(looks));
        while (!next.isEmpty())
        {
            from = next.poll();
            if (from.isWrong())
            {
                return path();
            }
            server();
            lifeLine();
            session();
            device();
        }
        return null;
    }

    private void add(final ReleaseState state)
    {
        if (!origins.containsKey(state))
        {
            origins.put(state, from);
            next.add(state);
        }
    }

    /** Memory goes as soon as it is confirmed: if it went later, READs would have more time to end. */
    private void server()
    {
        if (from.retired() < pieces && from.retired() == from.gone())
        {
            add(from.retire());
        }
        if (flaw == ReleaseFlaw.RELEASED_EARLY)
        {
            add(from.giveBack(from.retired()));
        }
    }

    private void lifeLine()
    {
        final LifeLine line = from.lifeLine();
        final Words words = from.words();
        switch (line.step())
        {
            case IDLE ->
            {
                if (line.announced() < from.retired())
                {
                    final ReleaseState told =
                        from.with(new LifeLine(Step.IDLE, from.retired(), line.candidate(), line.atRest()));
                    add(flaw == ReleaseFlaw.ANNOUNCED_LAST ? told : told.with(words.announced(from.retired())));
                }
                prepare(line, words.isReading());
            }
            case FENCE ->
            {
                add(from.with(words.fenced()).with(line.next(Step.LOOK_AGAIN)));
                add(from.with(line.next(flaw == ReleaseFlaw.FAILED_FENCE_IGNORED ? Step.LOOK_AGAIN : Step.IDLE)));
            }
            case LOOK_AGAIN ->
            {
                final boolean isAtRest = !words.isReading() || flaw == ReleaseFlaw.NO_SECOND_LOOK;
                add(from.with(new LifeLine(
                    Step.CONFIRM, line.announced(), line.candidate(), isAtRest ? line.candidate() : line.atRest())));
            }
            case CONFIRM -> add(from.with(line.next(Step.IDLE))
                .with(words.announced(line.announced()))
                .giveBack(Math.max(line.atRest(), words.confirmed())));
            default -> throw new IllegalStateException("step is not known: step=" + line.step());
        }
    }

    private void prepare(final LifeLine line, final boolean isReading)
    {
        final int candidate = isReading ? line.atRest() : line.announced();
        final boolean needsFence = candidate > line.atRest() && flaw != ReleaseFlaw.NO_HEAVY_FENCE;
        add(from.with(new LifeLine(
            needsFence ? Step.FENCE : Step.LOOK_AGAIN, line.announced(), candidate, line.atRest())));
    }

    private void session()
    {
        final Session session = from.session();
        switch (session.phase())
        {
            case REST ->
            {
                if (session.chosen() != ReleaseState.NONE)
                {
                    add(from.with(session.next(Phase.READ).choosing(session.chosen()))
                        .with(from.words().stored(true, 1)));
                }
                beginLook();
            }
            case LOOK -> look();
            case READ ->
            {
                choose();
                post();
                beginLook();
                if (session.reading() == 0 || flaw == ReleaseFlaw.REST_AMID_READS)
                {
                    final Session atRest = session.next(Phase.REST);
                    add(from.with(from.words().stored(true, 0)).with(
                        flaw == ReleaseFlaw.CHOICE_KEPT_OVER_REST ? atRest.choosing(session.chosen()) : atRest));
                }
            }
            default -> throw new IllegalStateException("phase is not known: phase=" + session.phase());
        }
    }

    private void beginLook()
    {
        if (from.session().looks() > 0)
        {
            final ReleaseState begun = from.with(from.session().lookBegun());
            add(flaw == ReleaseFlaw.LOOK_BEFORE_READING ? begun : begun.with(from.words().stored(true, 1)));
        }
    }

    private void look()
    {
        final Session session = from.session();
        final int newest = from.words().newest();
        ReleaseState seen = from.with(session.next(Phase.READ));
        if (newest != session.settled())
        {
            final int older =
                newest != session.known() ? session.reading() : session.older() & session.reading();
            final boolean isSettled = older == 0 || flaw == ReleaseFlaw.OLDER_READS_IGNORED;
            final int known = flaw == ReleaseFlaw.CHOICE_BY_OLDER ? session.known() : newest;
            seen = from.with(session.looked(known, isSettled ? newest : session.settled(), older));
            seen = isSettled ? seen.with(from.words().stored(false, newest)) : seen;
        }
        add(seen);
    }

    private void choose()
    {
        for (int piece = from.session().known() + 1; piece <= pieces; piece++)
        {
            final ReleaseState chosen = from.with(from.session().choosing(piece));
            add(flaw == ReleaseFlaw.LOOK_BEFORE_READING ? chosen.with(from.words().stored(true, 1)) : chosen);
        }
    }

    private void post()
    {
        final Session session = from.session();
        final int lane = session.lanes().indexOf(ReleaseState.NONE);
        if (session.chosen() != ReleaseState.NONE && lane >= 0)
        {
            add(from.with(session.lane(lane, session.chosen()).choosing(ReleaseState.NONE)));
        }
    }

    /** The session's stores reach others, and READs end. */
    private void device()
    {
        if (!from.words().stores().isEmpty())
        {
            add(from.with(from.words().drained()));
        }
        for (int lane = 0; lane < ReleaseState.LANES; lane++)
        {
            if (from.session().lanes().get(lane) != ReleaseState.NONE)
            {
                add(from.with(from.session().lane(lane, ReleaseState.NONE)));
            }
        }
    }

    private String path()
    {
        final StringBuilder text = new StringBuilder();
        for (ReleaseState state = from; state != null; state = origins.get(state))
        {
            text.insert(0, state + "\n");
        }
        return text.toString();
    }
}
