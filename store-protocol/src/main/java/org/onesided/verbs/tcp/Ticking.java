package org.onesided.verbs.tcp;

/**
 * A periodic task of the progress thread.
 */
interface Ticking
{
    /**
     * Does it if its time has come.
     *
     * @param nowNs the time.
     * @return how long until the next time, in nanoseconds.
     */
    long tick(long nowNs);
}
