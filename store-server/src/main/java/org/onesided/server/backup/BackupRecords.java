package org.onesided.server.backup;

import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.server.snapshot.SnapshotException;
import org.onesided.server.snapshot.SnapshotReader;

/**
 * Reads the records of a backup, with the memory of one. Not thread-safe.
 */
public final class BackupRecords
{
    /** Takes records. */
    @FunctionalInterface
    public interface Listener
    {
        /**
         * @param key      of the record.
         * @param value    of the record.
         * @param expiryMs when it expires, in milliseconds since 1970; 0 if it stays.
         */
        void onRecord(byte[] key, byte[] value, long expiryMs);
    }

    private final BackupReader backup;
    private final Listener listener;
    private byte[] longKey;
    private byte[] longValue;
    private long longExpiryMs;

    /**
     * @param backup   that was verified.
     * @param listener takes its records, in no particular order.
     */
    public BackupRecords(final BackupReader backup, final Listener listener)
    {
        this.backup = backup;
        this.listener = listener;
    }

    /**
     * Reads all records.
     *
     * @throws BackupException if the backup cannot be read any more, or is damaged.
     */
    public void read()
    {
        for (int i = 0; i < backup.header().shards(); i++)
        {
            try (SnapshotReader reader = backup.snapshot(i))
            {
                for (SnapshotReader.Item item = reader.next(); item != SnapshotReader.Item.END; item = reader.next())
                {
                    take(reader, item);
                }
            }
            catch (final SnapshotException e)
            {
                throw new BackupException("backup is damaged: " + e.getMessage(), e);
            }
        }
    }

    /** Short records may come between the parts of a long value, another long one does not. */
    private void take(final SnapshotReader reader, final SnapshotReader.Item item)
    {
        switch (item)
        {
            case RECORD -> listener.onRecord(
                bytes(reader.keyAddress(), reader.keyLength()), bytes(reader.valueAddress(), reader.valueLength()),
                reader.expiry());
            case LONG_RECORD ->
            {
                longKey = bytes(reader.keyAddress(), reader.keyLength());
                longValue = new byte[reader.valueLength()];
                longExpiryMs = reader.expiry();
            }
            case VALUE_PART ->
            {
                final int left = reader.valueLeft();
                final int length = reader.partLength();
                new UnsafeBuffer(reader.valueAddress(), length)
                    .getBytes(0, longValue, longValue.length - left - length, length);
                if (left == 0)
                {
                    listener.onRecord(longKey, longValue, longExpiryMs);
                    longValue = null;
                }
            }
            default ->
            {
                // The shard's own state, and there are no sessions of clients.
            }
        }
    }

    private static byte[] bytes(final long address, final int length)
    {
        final byte[] bytes = new byte[length];
        new UnsafeBuffer(address, length).getBytes(0, bytes);
        return bytes;
    }
}
