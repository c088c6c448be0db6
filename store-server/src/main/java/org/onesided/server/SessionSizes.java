package org.onesided.server;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.onesided.server.queue.SessionGeometry;
import org.onesided.server.session.SessionLimits;
import org.onesided.verbs.DeviceAttributes;
import org.onesided.verbs.OpenDevice;

/**
 * How much a session may have under way, how many sessions a device has room for, and the limits of all sessions.
 */
final class SessionSizes
{
    private static final int READS = 4;
    private static final int MAX_PIECE_LENGTH = 1 << 20;
    /** Where the shard's thread copies itself: {@link #READS} of them take it some 25 microseconds. */
    private static final int MAX_COPIED_PIECE_LENGTH = 32 << 10;
    private static final int CREDITS_PER_ANSWER_BUFFER = 4;

    private SessionSizes()
    {
    }

    /** Sizes that suit the sessions of all devices. */
    static SessionGeometry geometry(final ServerOptionValues options, final List<OpenDevice> devices)
    {
        long longest = MAX_PIECE_LENGTH;
        int reads = READS;
        for (final OpenDevice device : devices)
        {
            longest = Math.min(longest, device.context().queryPort(device.port()).maxMessageLength());
            longest = Math.min(longest, device.copiesWhilePosting() ? MAX_COPIED_PIECE_LENGTH : longest);
            reads = Math.min(reads, device.context().queryDevice().maxInitiatedReadAtomic());
        }
        return new SessionGeometry(
            options.credits(),
            options.messageLength(),
            Math.max(2, options.credits() / CREDITS_PER_ANSWER_BUFFER),
            Math.max(1, reads),
            (int)longest,
            options.pullLimit());
    }

    /**
     * As many as wanted, unless their completions or queue pairs are more than the device has.
     *
     * @throws ServerException if it has no room for one.
     */
    static int maxSessions(final ServerOptionValues options, final OpenDevice of, final SessionGeometry geometry)
    {
        final DeviceAttributes device = of.context().queryDevice();
        final int room = Math.min(
            device.maxCompletions() / geometry.completions(), device.maxQueuePairs() / options.shards());
        if (room < 1)
        {
            throw new ServerException("device has no room for one session, take fewer credits or shards: device=" +
                of.name() + " credits=" + options.credits() + " shards=" + options.shards() +
                " completions=" + device.maxCompletions() + " queuePairs=" + device.maxQueuePairs());
        }
        return Math.min(room, options.maxSessions());
    }

    /**
     * Limits of the sessions.
     *
     * @param maxSessions at a time.
     * @param geometry    of each.
     */
    static SessionLimits limits(final ServerOptionValues options, final int maxSessions, final SessionGeometry geometry)
    {
        return new SessionLimits(
            maxSessions,
            options.maxSessionsPerAddress(),
            options.maxSessionsPerIdentity(),
            options.maxHandshakes(),
            options.maxHandshakesPerAddress(),
            options.handshakeTimeoutNs(),
            TimeUnit.NANOSECONDS.toMillis(options.leaseNs()),
            geometry);
    }
}
