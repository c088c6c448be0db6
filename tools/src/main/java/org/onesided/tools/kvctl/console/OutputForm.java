package org.onesided.tools.kvctl.console;

import java.util.Locale;

/**
 * How data are printed.
 */
public enum OutputForm
{
    /** For other commands: a value's own bytes, or a name and its value per line. */
    PLAIN,
    /** For people: columns. */
    TABLE,
    /** For programs: an object, or one per line. */
    JSON;

    /** As it is given. */
    @Override
    public String toString()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
