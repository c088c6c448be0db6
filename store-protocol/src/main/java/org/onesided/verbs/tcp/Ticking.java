package org.onesided.verbs.tcp;

/**
 * What the progress thread does now and then.
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
