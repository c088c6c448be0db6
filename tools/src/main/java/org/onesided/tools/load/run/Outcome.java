package org.onesided.tools.load.run;

/**
 * What became of an operation.
 */
enum Outcome
{
    /** It succeeded. */
    DONE,
    /** It failed. */
    FAILED,
    /** Another had changed the key, so it changed nothing. */
    CONFLICT,
}
