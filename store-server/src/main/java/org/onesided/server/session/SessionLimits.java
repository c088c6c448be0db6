package org.onesided.server.session;

import org.onesided.protocol.bootstrap.Token;
import org.onesided.server.shard.SessionGeometry;

/**
 * What the acceptor holds sessions to.
 *
 * @param maxSessions        sessions at a time, those that may still be resumed included.
 * @param maxHandshakes      connections at a time that have not become a session's yet.
 * @param handshakeTimeoutNs how long a handshake may take in nanoseconds.
 * @param leaseMs            a session from which nothing came for so long is ended, in milliseconds.
 * @param token              that clients must show, or null for none.
 * @param geometry           what a session may have under way at each shard.
 */
public record SessionLimits(
    int maxSessions,
    int maxHandshakes,
    long handshakeTimeoutNs,
    long leaseMs,
    Token token,
    SessionGeometry geometry)
{
}
