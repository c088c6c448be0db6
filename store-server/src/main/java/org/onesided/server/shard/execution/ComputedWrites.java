package org.onesided.server.shard.execution;

import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.rpc.AppendLimits;
import org.onesided.protocol.rpc.codec.Status;
import org.onesided.server.shard.RequestKind;
import org.onesided.server.table.FoundRecord;
import org.onesided.server.table.ShardTable;
import org.onesided.server.table.WriteResult;

/**
 * Writes whose value the shard computes from the key's present one, in one step: increments and appends. The new value
 * depends on the request and the table only. If there is no room for it, nothing changed, and the next attempt computes
 * it anew: others may have written the key meanwhile. Belongs to the shard's thread.
 */
final class ComputedWrites
{
    private final ShardTable table;
    private final FoundRecord found = new FoundRecord();
    private final DecimalText decimal = new DecimalText();
    /** The new value. */
    private final UnsafeBuffer value =
        new UnsafeBuffer(BufferUtil.allocateDirectAligned(AppendLimits.MAX_VALUE_LENGTH, Long.BYTES));
    private int length;
    private long outcome;

    /**
     * @param table to write to.
     */
    ComputedWrites(final ShardTable table)
    {
        this.table = table;
    }

    /**
     * Carries a write out.
     *
     * @param request increment or append, whose key belongs to this shard.
     * @param expiry  a time, or one of {@link org.onesided.server.table.Expiry}.
     * @param result  where the key's slot is now.
     * @return as {@link ShardTable#put}; or NOT_A_NUMBER, OUT_OF_BOUNDS or VALUE_TOO_LONG. If not OK, nothing changed.
     */
    Status write(final Request request, final long expiry, final WriteResult result)
    {
        final boolean isPresent = table.lookups().find(request.keyHash(), request.key(), request.keyLength(), found);
        final Status status =
            request.kind() == RequestKind.INCREMENT ? add(request, isPresent) : append(request, isPresent);
        return status != Status.OK ? status : table.put(
            request.keyHash(), request.key(), request.keyLength(), value.addressOffset(), length, expiry, result);
    }

    private Status add(final Request request, final boolean isPresent)
    {
        if (isPresent && !decimal.read(found.valueAddress(), found.valueLength()))
        {
            return Status.NOT_A_NUMBER;
        }
        final long before = isPresent ? decimal.number() : request.block().initial();
        final long delta = request.block().delta();
        final long sum = before + delta;
        if (((before ^ sum) & (delta ^ sum)) < 0)
        {
            return Status.OUT_OF_BOUNDS;
        }
        length = value.putLongAscii(0, sum);
        outcome = sum;
        return Status.OK;
    }

    private Status append(final Request request, final boolean isPresent)
    {
        final int added = request.valueLength();
        if (added > AppendLimits.MAX_ADDED_LENGTH)
        {
            return Status.INVALID;
        }
        final int before = isPresent ? found.valueLength() : 0;
        if (before > AppendLimits.MAX_VALUE_LENGTH - added)
        {
            return Status.VALUE_TOO_LONG;
        }
        if (before > 0)
        {
            UnsafeApi.copyMemory(found.valueAddress(), value.addressOffset(), before);
        }
        UnsafeApi.copyMemory(request.value(), value.addressOffset() + before, added);
        length = before + added;
        outcome = length;
        return Status.OK;
    }

    /** Length of the last value that was computed, in bytes. */
    int valueLength()
    {
        return length;
    }

    /** Result of the last write that was OK: the new number, or the value's new length in bytes. */
    long outcome()
    {
        return outcome;
    }
}
