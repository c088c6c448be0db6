package org.onesided.tools.load.run;

/**
 * An operation that a thread repeats. For one thread.
 */
interface Task
{
    /**
     * Prepares the next operation, as far as possible before its start.
     *
     * @return whether there is one.
     */
    boolean prepare();

    /**
     * Executes and records the operation.
     *
     * @param intendedNs intended start in nanoseconds since the begin of the phase; negative for now.
     * @return end of the operation.
     */
    long perform(long intendedNs);
}
