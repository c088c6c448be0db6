package org.onesided.server.table;

import org.onesided.protocol.rpc.codec.Status;
import org.onesided.protocol.table.RecordDescriptor;

/**
 * Puts of long values, in two steps: first the record gets its extent, and when its value is there, it becomes the
 * key's. Other writes of the key may come in between. Belongs to the shard's thread.
 */
public final class LongPuts
{
    /** {@link #reserve}: no room. */
    public static final long FULL = -1;
    /** {@link #reserve}: no room yet, to be tried again after {@link ShardTable#makeRoom}. */
    public static final long WAIT = -2;
    /** {@link #reserve}: a length breaks a limit. */
    public static final long INVALID = -3;

    private final RecordMemory records;
    private final BucketChains chains;
    private final RecordWriter writer;
    private final Expirations expirations;
    private final Evictions evictions;
    private final Reservations reservations;
    private long published;

    LongPuts(
        final RecordMemory records,
        final BucketChains chains,
        final RecordWriter writer,
        final Reservations reservations)
    {
        this.records = records;
        this.chains = chains;
        this.writer = writer;
        this.reservations = reservations;
        expirations = writer.expirations();
        evictions = writer.evictions();
    }

    /**
     * Reserves an extent for a long value, which ends with {@link #publish} or {@link Reservations#abandon}.
     *
     * @param hash        of the key.
     * @param key         its raw address.
     * @param keyLength   in bytes.
     * @param valueLength in bytes.
     * @return table offset of the extent, or {@link #FULL}, {@link #WAIT} or {@link #INVALID}.
     */
    public long reserve(final long hash, final long key, final int keyLength, final int valueLength)
    {
        if (!RecordMemory.areValid(keyLength, valueLength))
        {
            return INVALID;
        }
        final long length = RecordDescriptor.length(keyLength, valueLength, RecordDescriptor.EXPIRY_FLAG);
        final long extent = writer.allocate(length, writer.find(hash, key, keyLength));
        if (extent < 0)
        {
            return extent == HeapSpace.WAIT ? WAIT : FULL;
        }
        reservations.begin(extent, hash, key, keyLength, valueLength);
        return extent;
    }

    /**
     * Tells which version the key of a reserved extent has as yet.
     *
     * @param extent reserved.
     * @return as {@link TableLookups#version}.
     * @throws IllegalArgumentException if it is not reserved.
     */
    public long presentVersion(final long extent)
    {
        return find(reservations.get(extent), extent) ? records.version(records.offset(chains.word())) : 0;
    }

    /**
     * Tells whether a reserved extent's value has to wait until there is memory for the index.
     *
     * @param extent reserved, with its value.
     * @return whether {@link #publish} should be called later.
     * @throws IllegalArgumentException if it is not reserved.
     */
    public boolean mustWait(final long extent)
    {
        return !find(reservations.get(extent), extent) && chains.room() == Status.BUSY;
    }

    private boolean find(final Reservation reservation, final long extent)
    {
        return writer.find(reservation.hash(), records.keyAddress(extent), records.keyLength(extent));
    }

    /**
     * Stores a reserved extent's value. Whatever the answer, the extent is the caller's no more.
     *
     * @param extent reserved, with its value.
     * @param expiry a time, or one of {@link Expiry}.
     * @param result where the key's slot is now.
     * @return OK, INDEX_FULL or CHAIN_FULL; if not OK, nothing changed.
     * @throws IllegalArgumentException if it is not reserved.
     */
    public Status publish(final long extent, final long expiry, final WriteResult result)
    {
        result.clear();
        final Reservation reservation = reservations.get(extent);
        final long hash = reservation.hash();
        final long key = records.keyAddress(extent);
        final int keyLength = records.keyLength(extent);
        final boolean present = writer.find(hash, key, keyLength);
        final long time = expirations.resolve(expiry, present, present ? records.offset(chains.word()) : 0);
        if (time != Expiry.NEVER && expirations.isOver(time))
        {
            reservations.abandon(extent);
            writer.removeOverdue(hash, present, result);
            return Status.OK;
        }
        final Status room = present ? Status.OK : evictions.roomInIndex(hash, key, keyLength);
        if (room != Status.OK)
        {
            reservations.abandon(extent);
            return room == Status.BUSY ? Status.INDEX_FULL : room;
        }
        final long length = reservation.length();
        writer.makeLive(extent, length, reservations.finish(extent, writer.nextVersion(), time), hash, present, result);
        published++;
        return Status.OK;
    }

    /** Values that were stored. */
    long published()
    {
        return published;
    }
}
