package org.onesided.server.shard.execution;

import org.onesided.protocol.rpc.codec.ConditionKind;

/**
 * What a write asks of its key's present record. A version is expected of one table: version numbers begin anew with
 * each life of a server, but a table id is random, so a version never matches a record of another table.
 */
public final class Condition
{
    private static final int NONE = 0;

    private int kind;
    private long tableId;
    private long version;

    /** Whether a byte stands for a condition, or for none. */
    static boolean isKind(final int kind)
    {
        return kind >= ConditionKind.NONE.value() && kind <= ConditionKind.VERSION.value();
    }

    void set(final int newKind, final long expectedTable, final long expectedVersion)
    {
        kind = newKind;
        tableId = expectedTable;
        version = expectedVersion;
    }

    void clear()
    {
        kind = NONE;
    }

    /** Whether there is a condition. */
    boolean exists()
    {
        return kind != NONE;
    }

    /**
     * Tells whether the condition holds.
     *
     * @param table   where the key is.
     * @param present version of the key's record, 0 if there is none.
     */
    boolean holds(final long table, final long present)
    {
        return kind == NONE ||
            kind == ConditionKind.ABSENT.value() && present == 0 ||
            kind == ConditionKind.PRESENT.value() && present != 0 ||
            kind == ConditionKind.VERSION.value() && present != 0 && present == version && table == tableId;
    }
}
