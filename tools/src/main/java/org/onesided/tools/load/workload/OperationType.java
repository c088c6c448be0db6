package org.onesided.tools.load.workload;

/**
 * Kinds of operations.
 */
public enum OperationType
{
    /** A lookup. */
    READ("READ"),
    /** A put of a key that is there. */
    UPDATE("UPDATE"),
    /** A put of a new key. */
    INSERT("INSERT"),
    /** A lookup and a put of the same key behind it; its parts count as reads and updates, too. */
    READ_MODIFY_WRITE("READ-MODIFY-WRITE");

    private final String label;

    OperationType(final String label)
    {
        this.label = label;
    }

    /**
     * @return its name in YCSB's results.
     */
    public String label()
    {
        return label;
    }
}
