package org.onesided.server.shard.logged;

import java.util.function.LongPredicate;
import org.agrona.collections.LongArrayList;
import org.onesided.server.log.ItemKind;
import org.onesided.server.shard.proposal.Proposals;
import org.onesided.server.shard.reign.Leadership;
import org.onesided.server.shard.session.LoggedSessions;
import org.onesided.server.shard.session.ShardSession;

/**
 * Proposes to a shard's log that sessions begin and end: before the first write of each, and behind its last. Belongs
 * to the shard's thread.
 */
public final class ProposedSessions
{
    private final Proposals proposals;
    private final LoggedSessions sessions;
    private final Leadership leadership;
    private final LongPredicate hasPulls;
    /** Sessions whose end is to be proposed, as soon as the log takes that and has all of their values. */
    private final LongArrayList ended = new LongArrayList();

    /**
     * @param proposals  to the log.
     * @param sessions   that the log knows.
     * @param leadership of the log.
     * @param hasPulls   whether the session with that id has values on their way to the log.
     */
    ProposedSessions(
        final Proposals proposals,
        final LoggedSessions sessions,
        final Leadership leadership,
        final LongPredicate hasPulls)
    {
        this.proposals = proposals;
        this.sessions = sessions;
        this.leadership = leadership;
        this.hasPulls = hasPulls;
    }

    /**
     * Proposes that a session may write, unless that was done, or has to wait until it writes.
     *
     * @param session that is about to write.
     */
    public void open(final ShardSession session)
    {
        if (proposals.isOpen() && !proposals.isFull() && session.generation() != proposals.generation())
        {
            session.generation(proposals.generation());
            if (sessions.get(session.id()) == null)
            {
                // No more sessions than there may be, at any place of the log.
                proposeEnds();
                sessions.onProposed(session);
                proposals.add(ItemKind.OPEN_SESSION, session.id());
            }
        }
    }

    /**
     * A session has ended.
     *
     * @param session number of the session.
     */
    public void end(final long session)
    {
        // The leader of a log with several members knows which sessions go on.
        if (!leadership.isFollowing() && sessions.onEnding(session))
        {
            ended.addLong(session);
        }
    }

    /** Proposes the end of those that have ended and have nothing on its way to the log, if the log takes it. */
    void proposeEnds()
    {
        for (int i = ended.size() - 1; proposals.isOpen() && !proposals.isFull() && i >= 0; i--)
        {
            final long session = ended.getLong(i);
            if (!hasPulls.test(session))
            {
                ended.fastUnorderedRemove(i);
                proposals.add(ItemKind.END_SESSION, session);
            }
        }
    }

    /** Another member leads, which ends them. */
    void clear()
    {
        ended.clear();
    }

    /** Proposals begin anew: of some sessions, the end was proposed and lost. */
    void renew()
    {
        ended.clear();
        sessions.forEach((session) ->
        {
            if (session.isEnded())
            {
                ended.addLong(session.id());
            }
        });
    }
}
