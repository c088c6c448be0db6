package org.onesided.client.session;

/**
 * Something that the {@link LifeLine} checks from time to time, as long as it asks for that.
 */
public interface Watched
{
    /**
     * Called by the life line's thread, which must not wait.
     *
     * @param nowNs the time.
     * @return whether to look again soon; else not before somebody asks for it.
     */
    boolean look(long nowNs);
}
