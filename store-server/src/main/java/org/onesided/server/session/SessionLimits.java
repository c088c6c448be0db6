package org.onesided.server.session;

import org.onesided.protocol.bootstrap.Tokens;
import org.onesided.server.queue.SessionGeometry;

/**
 * What the acceptor holds sessions to.
 *
 * @param maxSessions             sessions at a time, those that may still be resumed included.
 * @param maxSessionsPerAddress   of these from one address, or one /64 of IPv6; 0 for three quarters, and for all of
 *                                them from loopback.
 * @param maxSessionsPerIdentity  of these of one identity; 0 for three quarters where there may be several identities,
 *                                and else for all.
 * @param maxHandshakes           connections at a time that have not become a session's yet.
 * @param maxHandshakesPerAddress of these from one address, or one /64 of IPv6; 0 for half of them, and for all of them
 *                                from loopback.
 * @param handshakeTimeoutNs      how long a handshake may take in nanoseconds.
 * @param leaseMs                 a session from which nothing came for so long is ended, in milliseconds.
 * @param geometry                what a session may have under way at each shard.
 */
public record SessionLimits(
    int maxSessions,
    int maxSessionsPerAddress,
    int maxSessionsPerIdentity,
    int maxHandshakes,
    int maxHandshakesPerAddress,
    long handshakeTimeoutNs,
    long leaseMs,
    SessionGeometry geometry)
{
    int sessionsFrom(final AddressGroup address)
    {
        return limit(maxSessionsPerAddress, address.isLocal() ? maxSessions : maxSessions - maxSessions / 4);
    }

    int sessionsOf(final String identity)
    {
        final boolean isEverybodys =
            identity.equals(Tokens.ANONYMOUS) || identity.equals(Tokens.UNNAMED);
        return limit(maxSessionsPerIdentity, isEverybodys ? maxSessions : maxSessions - maxSessions / 4);
    }

    /**
     * @param address of clients.
     * @return handshakes at a time from there.
     */
    public int handshakesFrom(final AddressGroup address)
    {
        return limit(maxHandshakesPerAddress, address.isLocal() ? maxHandshakes : maxHandshakes - maxHandshakes / 2);
    }

    private static int limit(final int given, final int byDefault)
    {
        return given == 0 ? byDefault : given;
    }
}
