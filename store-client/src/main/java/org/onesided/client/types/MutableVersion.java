package org.onesided.client.types;

import org.jspecify.annotations.Nullable;

/**
 * Holds the version that a call without allocation found or gave. Reused by its owner; not thread-safe.
 */
public final class MutableVersion
{
    private long tableId;
    private long number;

    /**
     * Holds no version yet.
     */
    public MutableVersion()
    {
    }

    /**
     * Sets the version.
     *
     * @param newTableId as in {@link Version#tableId}.
     * @param newNumber  as in {@link Version#number}.
     */
    public void set(final long newTableId, final long newNumber)
    {
        tableId = newTableId;
        number = newNumber;
    }

    /**
     * @return as {@link Version#tableId}.
     */
    public long tableId()
    {
        return tableId;
    }

    /**
     * @return as {@link Version#number}; 0 if the key was absent, or nothing was looked up yet.
     */
    public long number()
    {
        return number;
    }

    /**
     * @return a new version with these numbers; null if there is none.
     */
    public @Nullable Version toVersion()
    {
        return number == 0 ? null : new Version(tableId, number);
    }

    /** That of the version, or {@code null}. */
    @Override
    public String toString()
    {
        return String.valueOf(toVersion());
    }
}
