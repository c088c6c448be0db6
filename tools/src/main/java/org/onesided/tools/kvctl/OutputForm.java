package org.onesided.tools.kvctl;

/**
 * How data are printed.
 */
enum OutputForm
{
    /** For other commands: a value's own bytes, or a name and its value per line. */
    PLAIN,
    /** For people: columns. */
    TABLE,
    /** For programs: an object, or one per line. */
    JSON
}
