package org.onesided.tools.load.run;

/**
 * What a thread does over and over. For one thread.
 */
interface Task
{
    /**
     * Prepares the next operation, as far as that may happen before its time.
     *
     * @return whether there is one.
     */
    boolean prepare();

    /**
     * Does the operation and records it.
     *
     * @param intendedNs when it should begin, in nanoseconds after the begin of the phase, or negative for now.
     * @return when it ended.
     */
    long perform(long intendedNs);
}
