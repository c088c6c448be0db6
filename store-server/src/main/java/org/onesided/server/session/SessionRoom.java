package org.onesided.server.session;

import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether there is room for another session: in total, per device, per address and per identity. A session
 * without a connection gives way, and one of the server's former process before all others. For the acceptor's thread.
 */
final class SessionRoom
{
    private static final Logger LOGGER = LoggerFactory.getLogger(SessionRoom.class);
    private static final String MAX_SESSIONS = "max-sessions";

    private final Sessions sessions;
    private final SessionLives lives;
    private final SessionLimits limits;
    private final ConnectionCloser closer;

    SessionRoom(
        final Sessions sessions, final SessionLives lives, final SessionLimits limits, final ConnectionCloser closer)
    {
        this.sessions = sessions;
        this.lives = lives;
        this.limits = limits;
        this.closer = closer;
    }

    /**
     * Makes room for a session of its own for a connection, or refuses the connection where there is none.
     *
     * @return whether there is room now.
     */
    boolean make(final BootstrapConnection connection, final ServedDevice device, final String identity)
    {
        final AddressGroup address = connection.address();
        final boolean hasRoom =
            make(connection, (each) -> each.identity().equals(identity), limits.sessionsOf(identity),
                Refusal.SESSIONS_PER_IDENTITY, "no room for another session of this identity: identity=" + identity,
                "max-sessions-per-identity") &&
            make(connection, (each) -> each.address().equals(address), limits.sessionsFrom(address),
                Refusal.SESSIONS_PER_ADDRESS, "no room for another session from this address: address=" + address,
                "max-sessions-per-address") &&
            make(connection, (each) -> each.device() == device, device.maxSessions(),
                Refusal.SESSIONS, "no room for another session over " + device.device().name() + ":",
                device.maxSessions() < limits.maxSessions() ? "room-of-device" : MAX_SESSIONS) &&
            make(connection, (each) -> true, limits.maxSessions(),
                Refusal.SESSIONS, "no room for another session:", MAX_SESSIONS);
        if (hasRoom)
        {
            lives.keepRecovered(limits.maxSessions() - 1);
        }
        return hasRoom;
    }

    /** Makes room for one more matching session, if necessary by dropping one without a connection. */
    private boolean make(
        final BootstrapConnection connection,
        final Predicate<Session> such,
        final int most,
        final Refusal refusal,
        final String reason,
        final String limit)
    {
        if (most >= limits.maxSessions() && refusal != Refusal.SESSIONS || sessions.size() < most)
        {
            // A limit per address or identity matters only below the limit of all sessions.
            return true;
        }
        int count = sessions.count(such);
        if (count >= most)
        {
            evictOrphan(such);
            count = sessions.count(such);
        }
        if (count >= most)
        {
            closer.refuse(connection, refusal, reason + " sessions=" + count + ' ' + limit + '=' + most);
        }
        return count < most;
    }

    /** Drops the matching session without a connection for the longest time: its client has probably gone. */
    private void evictOrphan(final Predicate<Session> such)
    {
        final Session oldest = sessions.oldestOrphan(such);
        if (oldest != null)
        {
            LOGGER.info(
                "session ended, its place is needed and it has no connection: session={} address={} identity={}",
                oldest.id(), oldest.address(), oldest.identity());
            lives.end(oldest, true);
        }
    }
}
