package org.onesided.server.session;

import java.util.Map;
import org.onesided.protocol.bootstrap.SessionTotals;

/**
 * What became of sessions since the server's start, at one moment.
 *
 * @param sessions   there are, those that may still be resumed included, by the name of their device.
 * @param identities the same sessions by whose they are: a token's name, a certificate's subject, or anonymous.
 * @param opened     by clients.
 * @param resumed    over another connection.
 * @param refusals   handshakes that came to nothing, by why.
 * @param expired    sessions whose lease ran out.
 * @param cutOff     sessions that lost their queue pairs because they did not confirm a release of memory.
 * @param reported   what clients say that they have done.
 * @param sampled    sampled lookups that clients reported.
 * @param unsampled  sampled lookups that were lost, as there were too many.
 */
public record SessionMetrics(
    Map<String, Integer> sessions,
    Map<String, Integer> identities,
    long opened,
    long resumed,
    Map<String, Long> refusals,
    long expired,
    long cutOff,
    SessionTotals reported,
    long sampled,
    long unsampled)
{
    /**
     * @return handshakes that came to nothing.
     */
    public long refused()
    {
        return refusals.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * @return sessions there are over all devices.
     */
    public int sessionCount()
    {
        return sessions.values().stream().mapToInt(Integer::intValue).sum();
    }
}
