package org.onesided.tools.load.workload;

import java.util.function.Supplier;

/**
 * A workload, with all that the mix and the keys need.
 *
 * @param name            of it, or of the file it comes from.
 * @param mix             of the operations.
 * @param distribution    of the items asked for.
 * @param records         in the table: items from 0; new ones are numbered from here.
 * @param insertStart     first item that this run loads and asks for.
 * @param insertCount     items that this run loads and asks for, from 1.
 * @param operations      of the run phase, 0 for no limit.
 * @param fieldCount      fields of a record, from 1.
 * @param fieldLength     bytes of a field, from 1.
 * @param keyNames        how items are named.
 * @param readModifyWrite how read-modify-writes put.
 * @param ttlMs           how long keys live that are put, in milliseconds; 0 if the puts say nothing about it.
 */
public record Workload(
    String name,
    Mix mix,
    Distribution distribution,
    long records,
    long insertStart,
    long insertCount,
    long operations,
    int fieldCount,
    int fieldLength,
    KeyNames keyNames,
    ReadModifyWrite readModifyWrite,
    long ttlMs)
{
    /** Longest value that the store holds, in bytes. */
    public static final int MAX_VALUE_LENGTH = 64 << 20;

    /**
     * Checks that the parts fit together.
     *
     * @param name            of it.
     * @param mix             of the operations.
     * @param distribution    of the items asked for.
     * @param records         in the table.
     * @param insertStart     first item that this run loads and asks for.
     * @param insertCount     items that this run loads and asks for.
     * @param operations      of the run phase, 0 for no limit.
     * @param fieldCount      fields of a record.
     * @param fieldLength     bytes of a field.
     * @param keyNames        how items are named.
     * @param readModifyWrite how read-modify-writes put.
     * @param ttlMs           how long keys live that are put, or 0.
     * @throws IllegalArgumentException if they do not.
     */
    public Workload
    {
        WorkloadSetting.RECORDS.check(records);
        requireRange("insertstart", insertStart, 0, records - 1);
        requireRange("insertcount", insertCount, 1, records - insertStart);
        WorkloadSetting.OPERATIONS.check(operations);
        WorkloadSetting.FIELD_COUNT.check(fieldCount);
        WorkloadSetting.FIELD_LENGTH.check(fieldLength);
        if ((long)fieldCount * fieldLength > MAX_VALUE_LENGTH)
        {
            throw new IllegalArgumentException("a value, all fields together, has up to 64 MiB: fieldcount=" +
                fieldCount + " fieldlength=" + fieldLength);
        }
    }

    /**
     * @return bytes of a value: all fields together.
     */
    public int valueLength()
    {
        return fieldCount * fieldLength;
    }

    /**
     * @param items that are there.
     * @return makes a chooser for each thread; thread-safe.
     */
    public Supplier<ItemChooser> choosers(final InsertedItems items)
    {
        return distribution.choosers(this, items);
    }

    /** Twice as many as are likely, as with YCSB. */
    long expectedInserts()
    {
        final double part = mix.parts().getOrDefault(OperationType.INSERT.label(), 0.0);
        return (long)(operations * part * 2);
    }

    private static void requireRange(final String name, final long value, final long min, final long max)
    {
        if (value < min || value > max)
        {
            throw new IllegalArgumentException(
                name + " is out of range, " + min + " to " + max + ": " + name + "=" + value);
        }
    }
}
