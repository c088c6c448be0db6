package org.onesided.server.shard.session;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.collections.Long2ObjectHashMap;
import org.onesided.server.queue.SessionGeometry;

/**
 * The sessions that a shard's log knows: the answers that they were given are part of the state which the log builds.
 * Belongs to the shard's thread.
 */
public final class LoggedSessions
{
    private final SessionGeometry geometry;
    private final boolean isReplicated;
    private final Long2ObjectHashMap<ShardSession> sessions = new Long2ObjectHashMap<>();
    /** Sessions whose opening is proposed. They are the ones that their connections use. */
    private final Long2ObjectHashMap<ShardSession> opening = new Long2ObjectHashMap<>();

    /**
     * @param geometry     of the shard's sessions.
     * @param isReplicated whether other members of a group have the same sessions.
     */
    public LoggedSessions(final SessionGeometry geometry, final boolean isReplicated)
    {
        this.isReplicated = isReplicated;
        this.geometry = geometry;
    }

    /**
     * @return whether other members of a group have the same sessions.
     */
    public boolean isReplicated()
    {
        return isReplicated;
    }

    /**
     * This member leads no more: the next leader knows of sessions and their requests what is in the log, and ends
     * those that nobody resumes.
     */
    public void onDeposed()
    {
        forEach(LoggedSessions::depose);
        opening.values().forEach(LoggedSessions::depose);
    }

    private static void depose(final ShardSession session)
    {
        session.window().forgetLocal();
        session.revive();
    }

    /** This member leads, after another one: the windows were built from the log. */
    public void onLeading()
    {
        forEach((session) -> session.window().recovered());
    }

    /**
     * The opening of a session is proposed.
     *
     * @param session that is to be opened.
     */
    public void onProposed(final ShardSession session)
    {
        opening.put(session.id(), session);
    }

    /**
     * The opening of a session is committed.
     *
     * @param id of the session.
     */
    public void open(final long id)
    {
        final ShardSession proposed = opening.remove(id);
        if (!sessions.containsKey(id))
        {
            sessions.put(id, proposed == null ? new ShardSession(id, geometry) : proposed);
        }
    }

    /**
     * A session ends.
     *
     * @param id of the session.
     * @return whether it is one that the log knows, or will.
     */
    public boolean onEnding(final long id)
    {
        final ShardSession session = sessions.containsKey(id) ? sessions.get(id) : opening.get(id);
        if (session != null)
        {
            session.end();
        }
        return session != null;
    }

    /**
     * The end of a session is committed.
     *
     * @param id of the session.
     */
    public void end(final long id)
    {
        sessions.remove(id);
    }

    /**
     * @param id of a session.
     * @return the session that the log knows by it, or null.
     */
    public ShardSession get(final long id)
    {
        return sessions.get(id);
    }

    /**
     * What was proposed and not handed over is lost.
     *
     * @return sessions that have a queue pair, whose requests are to be told of it.
     */
    public List<ShardSession> onLost()
    {
        sessions.values().forEach((session) -> session.window().forgetLogged());
        opening.values().forEach((session) -> session.window().forgetLogged());
        final List<ShardSession> connected = connected();
        opening.clear();
        return connected;
    }

    /**
     * @return sessions that have a queue pair, also those whose opening is proposed.
     */
    public List<ShardSession> connected()
    {
        final List<ShardSession> all = toList();
        all.addAll(opening.values());
        all.removeIf((session) -> session.listener() == null);
        return all;
    }

    /**
     * Visits the sessions that the log knows.
     *
     * @param action to be done for each.
     */
    public void forEach(final Consumer<ShardSession> action)
    {
        sessions.values().forEach(action);
    }

    /**
     * @return those that are not about to end.
     */
    public List<ShardSession> resumable()
    {
        final List<ShardSession> all = toList();
        all.removeIf(ShardSession::isEnded);
        return all;
    }

    /**
     * @return all there are, as they are now.
     */
    public List<ShardSession> toList()
    {
        return new ArrayList<>(sessions.values());
    }

    /**
     * @return how many there are.
     */
    public int size()
    {
        return sessions.size();
    }
}
