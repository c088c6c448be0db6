package org.onesided.tools.kvctl.console;

import java.util.Locale;

/**
 * The form of printed data.
 */
public enum OutputForm
{
    /** For other commands: the bytes of a value, or lines of name and value. */
    PLAIN,
    /** For people: columns. */
    TABLE,
    /** For programs: one object, or one per line. */
    JSON;

    /** The name on the command line. */
    @Override
    public String toString()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
