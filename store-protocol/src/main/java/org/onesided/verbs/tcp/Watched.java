package org.onesided.verbs.tcp;

/**
 * A connection that is checked now and then, regardless of which thread serves it.
 */
interface Watched
{
    /**
     * @param passedNs since the last call, in nanoseconds.
     */
    void watch(long passedNs);
}
