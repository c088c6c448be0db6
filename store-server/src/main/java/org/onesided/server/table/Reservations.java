package org.onesided.server.table;

import java.util.ArrayDeque;
import org.agrona.collections.Long2ObjectHashMap;
import org.onesided.protocol.table.RecordCheck;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.SlotWord;
import org.onesided.verbs.MemoryRange;

/**
 * Extents for long values, which another hand writes into {@link #valueAddress}: each is taken by
 * {@link LongPuts#reserve}, and ends with {@link LongPuts#publish} or {@link #abandon}. Belongs to the shard's
 * thread.
 */
public final class Reservations
{
    private final MemoryRange region;
    private final RecordMemory records;
    private final HeapSpace heap;
    private final RecordCheck check;
    private final Long2ObjectHashMap<Reservation> reservations = new Long2ObjectHashMap<>();
    /** To be used again: as many as there were extents reserved at a time. */
    private final ArrayDeque<Reservation> idle = new ArrayDeque<>();

    Reservations(final MemoryRange region, final RecordMemory records, final HeapSpace heap, final RecordCheck check)
    {
        this.region = region;
        this.records = records;
        this.heap = heap;
        this.check = check;
    }

    /** Writes a record without value, version and expiry into an extent that is not in use, and keeps it there. */
    void begin(final long extent, final long hash, final long key, final int keyLength, final int valueLength)
    {
        heap.lend(extent);
        final long address = records.address(extent);
        final long length = RecordDescriptor.length(keyLength, valueLength, RecordDescriptor.EXPIRY_FLAG);
        records.beginWrite(extent);
        RecordMemory.writeHeader(address, key, keyLength, valueLength, RecordDescriptor.EXPIRY_FLAG);
        RecordMemory.writeTail(address, length, RecordDescriptor.EXPIRY_FLAG, RecordDescriptor.NEVER);
        final Reservation next = idle.poll();
        reservations.put(extent, (next == null ? new Reservation(check) : next).begin(hash, address, length));
    }

    /**
     * @param extent reserved.
     * @return the raw address where its value goes.
     * @throws IllegalArgumentException if it is not reserved.
     */
    public long valueAddress(final long extent)
    {
        get(extent);
        return region.addressOf(records.valueOffset(extent), records.valueLength(extent));
    }

    /**
     * Computes a part of the code of a reserved extent, so that {@link LongPuts#publish} takes no longer than for a
     * short value. The value must be there, and stay as it is.
     *
     * @param extent   reserved.
     * @param maxBytes to read in this step, at least 1.
     * @return whether all is computed.
     * @throws IllegalArgumentException if it is not reserved.
     */
    public boolean publishStep(final long extent, final int maxBytes)
    {
        return get(extent).step(maxBytes);
    }

    /**
     * Gives a reserved extent up. Nobody may write into it any more.
     *
     * @param extent reserved.
     * @return whether it was.
     */
    public boolean abandon(final long extent)
    {
        final Reservation reservation = reservations.remove(extent);
        if (reservation == null)
        {
            return false;
        }
        idle.add(reservation);
        records.kill(extent);
        records.forward(extent, SlotWord.EMPTY);
        heap.giveBack(extent);
        heap.free(extent);
        return true;
    }

    /**
     * Ends a reservation whose record becomes live.
     *
     * @param version of the record, which is written there.
     * @param expiry  of the record, which is written there, too.
     * @return the record's code.
     */
    long finish(final long extent, final long version, final long expiry)
    {
        final Reservation reservation = get(extent);
        records.writeExpiry(extent, expiry);
        RecordMemory.writeVersion(records.address(extent), version);
        reservations.remove(extent);
        heap.giveBack(extent);
        final long code = reservation.code(version, extent);
        idle.add(reservation);
        return code;
    }

    Reservation get(final long extent)
    {
        final Reservation reservation = reservations.get(extent);
        if (reservation == null)
        {
            throw new IllegalArgumentException("extent is not reserved: extent=" + extent);
        }
        return reservation;
    }
}
