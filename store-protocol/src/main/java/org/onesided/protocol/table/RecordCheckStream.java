package org.onesided.protocol.table;

import com.dynatrace.hash4j.hashing.HashStream64;
import org.agrona.UnsafeApi;

/**
 * Computes the code of one record in steps: {@link #reset}, then {@link #update} until {@link #isWhole}, then
 * {@link #code}, which equals {@link RecordCheck#code}. Not thread-safe.
 */
public final class RecordCheckStream
{
    private final HashStream64 shortHash;
    private final HashStream64 longHash;
    private HashStream64 hash;
    private long address;
    private long left;
    /** Where the record's expiry is, or 0. */
    private long expiryAddress;

    RecordCheckStream(final HashStream64 shortHash, final HashStream64 longHash)
    {
        this.shortHash = shortHash;
        this.longHash = longHash;
        hash = shortHash;
    }

    /**
     * Begins with a record, whose bytes after the version must not change until the code is known, but for its expiry.
     *
     * @param recordAddress of the record's bytes.
     * @param recordLength  in bytes, header included, without the zeroed tail.
     */
    public void reset(final long recordAddress, final long recordLength)
    {
        address = recordAddress + RecordDescriptor.FLAGS_OFFSET;
        final boolean expires = RecordDescriptor.hasExpiry(UnsafeApi.getShort(address));
        final long hashed = recordLength - (expires ? RecordDescriptor.EXPIRY_LENGTH : 0);
        expiryAddress = expires ? recordAddress + hashed : 0;
        left = hashed - RecordDescriptor.FLAGS_OFFSET;
        hash = left <= RecordCheck.MAX_SHORT_LENGTH ? shortHash : longHash;
        hash.reset();
    }

    /**
     * Goes on.
     *
     * @param maxBytes that this step may hash.
     */
    public void update(final long maxBytes)
    {
        final long step = Math.min(maxBytes, left);
        if (step > 0)
        {
            hash.putBytes(null, address, step, RawBytes.INSTANCE);
            address += step;
            left -= step;
        }
    }

    /**
     * @return whether all of the record has been seen.
     */
    public boolean isWhole()
    {
        return left == 0;
    }

    /**
     * @param version     of the record, now known.
     * @param tableOffset of the record in the region.
     * @return the code.
     * @throws IllegalStateException if the record has not been seen whole.
     */
    public long code(final long version, final long tableOffset)
    {
        if (left != 0)
        {
            throw new IllegalStateException("record is not hashed whole, update first: left=" + left);
        }
        return expiryAddress == 0 ? RecordCheck.combine(hash.getAsLong(), version, tableOffset) :
            RecordCheck.combine(hash.getAsLong(), version, tableOffset, UnsafeApi.getLong(expiryAddress));
    }
}
