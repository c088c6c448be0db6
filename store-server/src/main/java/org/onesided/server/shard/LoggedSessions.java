package org.onesided.server.shard;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.collections.Long2ObjectHashMap;
import org.onesided.server.queue.SessionGeometry;

/**
 * The sessions that a shard's log knows: the answers that they were given are part of the state which the log builds.
 * Belongs to the shard's thread.
 */
final class LoggedSessions
{
    private final SessionGeometry geometry;
    private final boolean isReplicated;
    private final Long2ObjectHashMap<ShardSession> sessions = new Long2ObjectHashMap<>();
    /** Sessions whose opening is proposed. They are the ones that their connections use. */
    private final Long2ObjectHashMap<ShardSession> opening = new Long2ObjectHashMap<>();

    LoggedSessions(final SessionGeometry geometry, final boolean isReplicated)
    {
        this.isReplicated = isReplicated;
        this.geometry = geometry;
    }

    /** Whether other members of a group have the same sessions. */
    boolean isReplicated()
    {
        return isReplicated;
    }

    /**
     * This member leads no more: the next leader knows of sessions and their requests what is in the log, and ends
     * those that nobody resumes.
     */
    void onDeposed()
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
    void onLeading()
    {
        forEach((session) -> session.window().recovered());
    }

    /** The opening of a session is proposed. */
    void onProposed(final ShardSession session)
    {
        opening.put(session.id(), session);
    }

    /** The opening of a session is committed. */
    void open(final long id)
    {
        final ShardSession proposed = opening.remove(id);
        if (!sessions.containsKey(id))
        {
            sessions.put(id, proposed == null ? new ShardSession(id, geometry) : proposed);
        }
    }

    /** A session ends that the log knows, or will; whether it is one. */
    boolean onEnding(final long id)
    {
        final ShardSession session = sessions.containsKey(id) ? sessions.get(id) : opening.get(id);
        if (session != null)
        {
            session.end();
        }
        return session != null;
    }

    /** The end of a session is committed. */
    void end(final long id)
    {
        sessions.remove(id);
    }

    /** The session with that id, or null. */
    ShardSession get(final long id)
    {
        return sessions.get(id);
    }

    /**
     * What was proposed and not handed over is lost.
     *
     * @return sessions that have a queue pair, whose requests are to be told of it.
     */
    List<ShardSession> onLost()
    {
        sessions.values().forEach((session) -> session.window().forgetLogged());
        opening.values().forEach((session) -> session.window().forgetLogged());
        final List<ShardSession> connected = connected();
        opening.clear();
        return connected;
    }

    /** Sessions that have a queue pair, also those whose opening is proposed. */
    List<ShardSession> connected()
    {
        final List<ShardSession> all = toList();
        all.addAll(opening.values());
        all.removeIf((session) -> session.listener() == null);
        return all;
    }

    void forEach(final Consumer<ShardSession> action)
    {
        sessions.values().forEach(action);
    }

    /** Those that are not about to end. */
    List<ShardSession> resumable()
    {
        final List<ShardSession> all = toList();
        all.removeIf(ShardSession::isEnded);
        return all;
    }

    /** All there are, as they are now. */
    List<ShardSession> toList()
    {
        return new ArrayList<>(sessions.values());
    }

    int size()
    {
        return sessions.size();
    }
}
