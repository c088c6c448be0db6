package org.onesided.tools.load.value;

/**
 * Faults of the answer to a lookup.
 */
public enum Fault
{
    /** No writer wrote this value: not as a whole, or not yet. */
    NEVER_WRITTEN("never-written"),
    /** It was written under another key. */
    OTHER_KEY("another-key"),
    /** The thread has seen a later value of the same writer. */
    OLDER("older"),
    /** The key is absent, although it was put and nothing deletes keys. */
    LOST("lost");

    private final String label;

    Fault(final String label)
    {
        this.label = label;
    }

    /**
     * @return its name in results.
     */
    public String label()
    {
        return label;
    }
}
