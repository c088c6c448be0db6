package org.onesided.server.raft;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Who leads a log, and how another member comes to lead it. Thread-safe.
 *
 * <p>{@link #give} and {@link #stepDown} are not to be called by what hears of the end of another such call: Ratis
 * tells that with locks held, which a call needs.
 */
public interface Lead
{
    /**
     * @return whether this member leads.
     */
    boolean isLeading();

    /**
     * @return whether another member leads, as far as this one has heard.
     */
    boolean isLedElsewhere();

    /**
     * @return whether those in sync are a majority without this member, so that the log goes on if it ends.
     */
    boolean isDispensable();

    /**
     * @return numbers of the members that are alive, those with most entries first.
     */
    List<Long> candidates();

    /**
     * Gives leadership to one member. The log takes no proposals until that has succeeded or failed.
     *
     * @param member    number of it; it is waited for if it lacks entries.
     * @param timeoutMs after which it has failed, at least 1.
     * @return completes when that member leads, or fails.
     */
    CompletableFuture<Void> give(long member, long timeoutMs);

    /**
     * Leads no more, so that the members elect a leader, which may be this one again.
     *
     * @param timeoutMs after which it has failed, at least 1.
     * @return completes when this member follows, or fails.
     */
    CompletableFuture<Void> stepDown(long timeoutMs);
}
