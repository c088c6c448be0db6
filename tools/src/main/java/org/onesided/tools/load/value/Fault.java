package org.onesided.tools.load.value;

/**
 * What can be wrong with the answer to a lookup.
 */
public enum Fault
{
    /** Nobody wrote this value: not as a whole, or not yet. */
    NEVER_WRITTEN("never-written"),
    /** It was written, but under another key. */
    OTHER_KEY("another-key"),
    /** The thread has seen a later one of the same writer. */
    OLDER("older"),
    /** There is none, though the key was put and nothing deletes. */
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
