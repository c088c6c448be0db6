package org.onesided.server.shard;

/**
 * Hears what becomes of a session's writes in the log. Called on the shard's thread.
 */
interface AppliedListener
{
    /** A write was applied, and its answer is remembered. */
    void onApplied(long requestId);

    /** The log takes no writes any more, for now or for good, or another member leads it. */
    void onLogFailed();

    /** What was proposed and not applied is not in the log, and never will be. */
    void onLogLost();
}
