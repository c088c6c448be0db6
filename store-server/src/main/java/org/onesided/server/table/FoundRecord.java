package org.onesided.server.table;

/**
 * Where a key's value is in the region, until the shard's next write. Filled by {@link ShardTable}, reused by its
 * caller.
 */
public final class FoundRecord
{
    private long valueAddress;
    private long valueOffset;
    private int valueLength;
    private long version;
    private long check;
    private long recordOffset;
    private long expiry;

    /**
     * Nothing found yet.
     */
    public FoundRecord()
    {
    }

    void fill(
        final long newRecordOffset,
        final long newValueOffset,
        final long newValueAddress,
        final int newValueLength,
        final long newVersion,
        final long newCheck,
        final long newExpiry)
    {
        expiry = newExpiry;
        recordOffset = newRecordOffset;
        valueOffset = newValueOffset;
        valueAddress = newValueAddress;
        valueLength = newValueLength;
        version = newVersion;
        check = newCheck;
    }

    /**
     * @return raw address of the value.
     */
    public long valueAddress()
    {
        return valueAddress;
    }

    /**
     * @return table offset of the value.
     */
    public long valueOffset()
    {
        return valueOffset;
    }

    /**
     * @return length of the value in bytes.
     */
    public int valueLength()
    {
        return valueLength;
    }

    /**
     * @return the record's version.
     */
    public long version()
    {
        return version;
    }

    /**
     * @return the record's check word.
     */
    public long check()
    {
        return check;
    }

    /**
     * @return table offset of the record.
     */
    public long recordOffset()
    {
        return recordOffset;
    }

    /**
     * @return the record's expiry; {@link Expiry#NEVER} if it has none.
     */
    public long expiry()
    {
        return expiry;
    }
}
