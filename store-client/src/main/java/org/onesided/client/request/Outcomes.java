package org.onesided.client.request;

import org.onesided.client.exceptions.StoreException;

/**
 * Outcomes of writes, in order of their ends, until their owner takes them. Not thread-safe.
 */
public final class Outcomes
{
    /** The put was done. */
    public static final byte PUT = 0;
    /** The delete was done, and the key had been there. */
    public static final byte DELETED = 1;
    /** The delete was done, and the key had not been there. */
    public static final byte ABSENT = 2;
    /** The write failed. */
    public static final byte FAILED = 3;
    /** The condition of the write did not hold. */
    public static final byte CONFLICT = 4;
    /** The increment was done. */
    public static final byte INCREMENTED = 5;
    /** The append was done. */
    public static final byte APPENDED = 6;
    /** The touch was done. */
    public static final byte TOUCHED = 7;
    /** The touch found no key. */
    public static final byte UNTOUCHED = 8;

    private long[] correlations = {};
    private byte[] kinds = {};
    private StoreException[] failures = {};
    private long[] versions = {};
    private long[] tableIds = {};
    private long[] results = {};
    private int first;
    private int count;

    private long correlation;
    private byte kind;
    private StoreException failure;
    private long version;
    private long tableId;
    private long result;

    /**
     * @return outcomes that were not taken yet.
     */
    public int count()
    {
        return count;
    }

    /**
     * Makes room, so that {@link #add} need not.
     *
     * @param more  outcomes that are to come.
     * @param usual how many there may well be.
     */
    void reserve(final int more, final int usual)
    {
        final int needed = count + more;
        if (needed > kinds.length)
        {
            final int length = Math.max(needed, Math.max(2 * kinds.length, usual));
            final long[] newCorrelations = new long[length];
            final byte[] newKinds = new byte[length];
            final StoreException[] newFailures = new StoreException[length];
            final long[] newVersions = new long[length];
            final long[] newTableIds = new long[length];
            final long[] newResults = new long[length];
            for (int i = 0; i < count; i++)
            {
                final int at = (first + i) % kinds.length;
                newCorrelations[i] = correlations[at];
                newKinds[i] = kinds[at];
                newFailures[i] = failures[at];
                newVersions[i] = versions[at];
                newTableIds[i] = tableIds[at];
                newResults[i] = results[at];
            }
            first = 0;
            correlations = newCorrelations;
            kinds = newKinds;
            failures = newFailures;
            versions = newVersions;
            tableIds = newTableIds;
            results = newResults;
        }
    }

    /**
     * Adds an outcome, for which there is room.
     *
     * @param of       correlation of the write.
     * @param ended    how: one of the constants.
     * @param table    that has answered.
     * @param number   of the version that the write gave its key, or that a condition met; else 0.
     * @param computed what the server computed; else 0.
     * @param reason   of the failure, or null.
     */
    void add(
        final long of,
        final byte ended,
        final long table,
        final long number,
        final long computed,
        final StoreException reason)
    {
        int at = first + count;
        at = at < kinds.length ? at : at - kinds.length;
        correlations[at] = of;
        kinds[at] = ended;
        failures[at] = reason;
        versions[at] = number;
        tableIds[at] = table;
        results[at] = computed;
        count++;
    }

    /**
     * Takes an outcome, whose parts can be asked then.
     *
     * @return whether there was one.
     */
    public boolean takeNext()
    {
        if (count == 0)
        {
            return false;
        }
        correlation = correlations[first];
        kind = kinds[first];
        failure = failures[first];
        version = versions[first];
        tableId = tableIds[first];
        result = results[first];
        failures[first] = null;
        first = first + 1 == kinds.length ? 0 : first + 1;
        count--;
        return true;
    }

    /** Drops outcomes that were not taken. */
    void clear()
    {
        while (takeNext())
        {
            failure = null;
        }
    }

    /**
     * @return the correlation of the outcome taken last.
     */
    public long correlation()
    {
        return correlation;
    }

    /**
     * @return how the outcome taken last ended: one of the constants.
     */
    public byte kind()
    {
        return kind;
    }

    /**
     * @return number of the version that the write of the outcome taken last gave its key, or that its condition met; 0
     *         if the key was absent then.
     */
    public long version()
    {
        return version;
    }

    /**
     * @return the number or length that the server computed for the increment or append of the outcome taken last.
     */
    public long result()
    {
        return result;
    }

    /**
     * @return the table that the version is of.
     */
    public long tableId()
    {
        return tableId;
    }

    /**
     * @return the failure of the outcome taken last; null unless it failed.
     */
    public StoreException failure()
    {
        return failure;
    }
}
