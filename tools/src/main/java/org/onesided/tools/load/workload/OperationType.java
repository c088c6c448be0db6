package org.onesided.tools.load.workload;

/**
 * Kinds of operations.
 */
public enum OperationType
{
    /** A lookup. */
    READ,
    /** A put of a key that is there. */
    UPDATE,
    /** A put of a new key. */
    INSERT,
    /** A lookup and a put of the same key behind it; its parts count as reads and updates, too. */
    READ_MODIFY_WRITE;

    /**
     * @return its name in YCSB's results.
     */
    public String label()
    {
        return name().replace('_', '-');
    }
}
