package org.onesided.verbs.tcp;

/**
 * A connection that is checked periodically, whichever thread serves it.
 */
interface Watched
{
    /**
     * @param passedNs since the last call, in nanoseconds.
     */
    void watch(long passedNs);
}
