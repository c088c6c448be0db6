package org.onesided.server.session;

import org.onesided.protocol.bootstrap.SessionTotals;

/**
 * What became of sessions since the server's start, at one moment.
 *
 * @param sessions there are, those that may still be resumed included.
 * @param opened   by clients.
 * @param resumed  over another connection.
 * @param refused  handshakes that came to nothing.
 * @param expired  sessions whose lease ran out.
 * @param reported what clients say that they have done.
 */
public record SessionMetrics(
    int sessions, long opened, long resumed, long refused, long expired, SessionTotals reported)
{
    /** None yet. */
    static final SessionMetrics NONE = new SessionMetrics(0, 0, 0, 0, 0, SessionTotals.NONE);
}
