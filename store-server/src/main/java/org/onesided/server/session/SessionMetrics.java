package org.onesided.server.session;

import java.util.Map;
import org.onesided.protocol.bootstrap.SessionTotals;

/**
 * What became of sessions since the server's start, at one moment.
 *
 * @param sessions there are, those that may still be resumed included, by the name of their device.
 * @param opened   by clients.
 * @param resumed  over another connection.
 * @param refused  handshakes that came to nothing.
 * @param expired  sessions whose lease ran out.
 * @param reported what clients say that they have done.
 */
public record SessionMetrics(
    Map<String, Integer> sessions, long opened, long resumed, long refused, long expired, SessionTotals reported)
{
    /**
     * @return sessions there are over all devices.
     */
    public int sessionCount()
    {
        return sessions.values().stream().mapToInt(Integer::intValue).sum();
    }
}
