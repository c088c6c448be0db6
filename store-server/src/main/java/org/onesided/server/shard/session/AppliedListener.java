package org.onesided.server.shard.session;

/**
 * Hears what becomes of a session's writes in the log. Called on the shard's thread.
 */
public interface AppliedListener
{
    /**
     * A write was applied, and its answer is remembered.
     *
     * @param requestId of the write.
     */
    void onApplied(long requestId);

    /** The log takes no writes any more, for now or for good, or another member leads it. */
    void onLogFailed();

    /** What was proposed and not applied is not in the log, and never will be. */
    void onLogLost();
}
