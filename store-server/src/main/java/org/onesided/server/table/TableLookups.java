package org.onesided.server.table;

import org.onesided.protocol.table.SlotWord;

/**
 * Looks keys up for requests. Belongs to the shard's thread.
 */
public final class TableLookups
{
    private final RecordMemory records;
    private final BucketChains chains;
    private final HeapSpace heap;
    private final RecordWriter writer;
    private final Expirations expirations;

    TableLookups(
        final RecordMemory records, final BucketChains chains, final HeapSpace heap, final RecordWriter writer)
    {
        this.records = records;
        this.chains = chains;
        this.heap = heap;
        this.writer = writer;
        expirations = writer.expirations();
    }

    /**
     * Looks at the bucket of a key that will be asked for, so that it is in the cache then.
     *
     * @param hash of the key.
     * @return some number that depends on it.
     */
    public long fetchBucket(final long hash)
    {
        return chains.fetch(hash);
    }

    /**
     * Looks at the record of a key that will be asked for, so that it is in the cache then.
     *
     * @param hash of the key.
     * @return some number that depends on it.
     */
    public long fetchRecord(final long hash)
    {
        final long word = chains.firstCandidate(hash);
        return word == SlotWord.EMPTY ? 0 : records.fetch(records.offset(word), SlotWord.length(word));
    }

    /**
     * Looks a key up.
     *
     * @param hash      of the key.
     * @param key       its raw address.
     * @param keyLength in bytes.
     * @param found     where its record is, until the next write.
     * @return whether there is one.
     */
    public boolean find(final long hash, final long key, final int keyLength, final FoundRecord found)
    {
        if (!RecordMemory.areValid(keyLength, 0) || !writer.find(hash, key, keyLength))
        {
            return false;
        }
        final long offset = records.offset(chains.word());
        heap.finishMove(offset);
        final long value = records.valueOffset(offset);
        found.fill(
            offset, value, records.address(value), records.valueLength(offset), records.version(offset),
            records.check(offset), expirations.of(offset));
        return true;
    }

    /**
     * Tells which version a key has.
     *
     * @param hash      of the key.
     * @param key       its raw address.
     * @param keyLength in bytes, within the limits.
     * @return version of its record; 0 if there is none, as no record has version 0.
     */
    public long version(final long hash, final long key, final int keyLength)
    {
        return writer.find(hash, key, keyLength) ? records.version(records.offset(chains.word())) : 0;
    }
}
