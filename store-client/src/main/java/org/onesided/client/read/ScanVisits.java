package org.onesided.client.read;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.agrona.UnsafeApi;
import org.onesided.client.types.ScannedEntry;

/**
 * Passes what a scan finds to its visitor: the pairs whose keys begin with a prefix, each key once, until the visitor
 * wants no more. Not thread-safe.
 */
final class ScanVisits
{
    private final byte[] prefix;
    private final Predicate<? super ScannedEntry> visitor;
    private final RecordEntry entry = new RecordEntry();
    /** Keys that may be found again, and were passed. */
    private final Set<PassedKey> passed = new HashSet<>();
    private boolean isOver;

    /**
     * A key, with its hash in the table, which is harder to choose than one of a library.
     */
    private record PassedKey(long hash, byte[] bytes)
    {
        @Override
        public int hashCode()
        {
            return (int)hash;
        }

        @Override
        public boolean equals(final Object other)
        {
            return other instanceof PassedKey key && key.hash == hash && Arrays.equals(key.bytes, bytes);
        }
    }

    /**
     * @param prefix  of the keys; copied.
     * @param visitor returns whether it wants more.
     */
    ScanVisits(final byte[] prefix, final Predicate<? super ScannedEntry> visitor)
    {
        this.prefix = prefix.clone();
        this.visitor = Objects.requireNonNull(visitor, "visitor");
    }

    /**
     * Passes the record that was judged live last, if its key has the prefix and was not passed.
     *
     * @param hash    of its key.
     * @param tableId of its table.
     */
    void visit(final RecordReader records, final long hash, final long tableId)
    {
        if (!hasPrefix(records.keyAddress(), records.keyLength()))
        {
            return;
        }
        entry.wrap(records, tableId);
        final byte[] key = new byte[records.keyLength()];
        entry.key().getBytes(0, key);
        if (passed.add(new PassedKey(hash, key)))
        {
            isOver = !visitor.test(entry);
        }
    }

    /** Whether the visitor wants no more. */
    boolean isOver()
    {
        return isOver;
    }

    /** No key that was passed will be found again. */
    void forget()
    {
        passed.clear();
    }

    private boolean hasPrefix(final long address, final int length)
    {
        if (length < prefix.length)
        {
            return false;
        }
        for (int i = 0; i < prefix.length; i++)
        {
            if (UnsafeApi.getByte(address + i) != prefix[i])
            {
                return false;
            }
        }
        return true;
    }
}
