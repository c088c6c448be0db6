package org.onesided.verbs.tcp;

/**
 * What is looked at now and then, whoever else looks after it.
 */
interface Watched
{
    /**
     * @param passedNs since the last call, in nanoseconds.
     */
    void watch(long passedNs);
}
