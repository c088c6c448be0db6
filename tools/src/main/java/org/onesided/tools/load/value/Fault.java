package org.onesided.tools.load.value;

import java.util.Locale;

/**
 * Faults of the answer to a lookup.
 */
public enum Fault
{
    /** No writer wrote this value: not as a whole, or not yet. */
    NEVER_WRITTEN,
    /** It was written under another key. */
    ANOTHER_KEY,
    /** The thread has seen a later value of the same writer. */
    OLDER,
    /** The key is absent, although it was put, nothing deletes keys, and its time is not over. */
    LOST;

    /**
     * @return its name in results.
     */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
