package org.onesided.client.session;

import static org.onesided.client.bootstrap.AttachFailedException.Kind.TRANSIENT;

import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;
import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.bootstrap.SessionIdentity;

/**
 * Whether a session with writes under way that a member of a cluster did not resume is lost. A member that leads again
 * begins another session as long as it still ends what it had of the one before; so a session is asked for again for a
 * while, since the fate of its writes goes with it. For the session's thread.
 */
final class Resumption
{
    /** For how long to ask again. */
    static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);

    private final NanoClock clock;
    private SessionIdentity missed = SessionIdentity.NONE;
    private long missedSinceNs;

    /**
     * @param clock as {@link System#nanoTime()}.
     */
    Resumption(final NanoClock clock)
    {
        this.clock = clock;
    }

    /**
     * Checks what a member has begun.
     *
     * @param asked     session to be resumed, or {@link SessionIdentity#NONE}.
     * @param isResumed whether it was.
     * @throws AttachFailedException if the session is to be asked for again.
     */
    void check(final SessionIdentity asked, final boolean isResumed) throws AttachFailedException
    {
        if (isResumed || asked.equals(SessionIdentity.NONE))
        {
            return;
        }
        final long nowNs = clock.nanoTime();
        if (!asked.equals(missed))
        {
            missed = asked;
            missedSinceNs = nowNs;
        }
        if (nowNs - missedSinceNs < PATIENCE_NS)
        {
            throw new AttachFailedException(TRANSIENT, "member does not know the session of the writes", null);
        }
    }
}
