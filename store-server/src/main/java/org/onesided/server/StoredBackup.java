package org.onesided.server;

import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;
import org.onesided.protocol.table.SuperblockDescriptor;
import org.onesided.server.backup.BackupException;
import org.onesided.server.backup.BackupReader;
import org.onesided.server.backup.BackupRecords;
import org.onesided.server.backup.Restoration;

/**
 * A backup file, all of which was read and compared with its checksums.
 *
 * @param path      of the file.
 * @param tableId   names the table that it is of.
 * @param shards    of that table.
 * @param records   in it.
 * @param bytes     of the file.
 * @param createdMs when it was begun, in milliseconds since 1970.
 * @param version   of the server that made it, empty if that is not known.
 * @param indexes   of each shard's log, of the last entry that is in it.
 */
public record StoredBackup(
    Path path, long tableId, int shards, long records, long bytes, long createdMs, String version, List<Long> indexes)
{
    /**
     * Copies the list.
     *
     * @param path      of the file.
     * @param tableId   names the table that it is of.
     * @param shards    of that table.
     * @param records   in it.
     * @param bytes     of the file.
     * @param createdMs when it was begun, in milliseconds since 1970.
     * @param version   of the server that made it, empty if that is not known.
     * @param indexes   of each shard's log, of the last entry that is in it.
     */
    public StoredBackup
    {
        indexes = List.copyOf(indexes);
    }

    /**
     * Takes records.
     */
    @FunctionalInterface
    public interface RecordListener
    {
        /**
         * @param key      of the record.
         * @param value    of the record.
         * @param expiryMs when it expires, in milliseconds since 1970; 0 if it stays.
         */
        void onRecord(byte[] key, byte[] value, long expiryMs);
    }

    /**
     * Reads all of a backup, and compares all checksums.
     *
     * @param path     of the file.
     * @param progress hears how many bytes were read; all are read twice.
     * @return what is in it.
     * @throws ServerException if it cannot be read, is no backup, is damaged or not whole.
     */
    public static StoredBackup verify(final Path path, final LongConsumer progress)
    {
        try
        {
            final BackupReader reader = BackupReader.open(path, progress);
            return of(path, reader, reader.verify((bytes) -> progress.accept(reader.size() + bytes)));
        }
        catch (final BackupException e)
        {
            throw new ServerException(e.getMessage(), e);
        }
    }

    /**
     * Makes a data directory from a backup, after all of that was read and compared. The table in it is a new one, with
     * the same records. If that fails, the directory holds no table.
     *
     * @param path      of the file.
     * @param directory to make, missing or empty.
     * @param shards    of the new table; 0 for as many as the backup's.
     * @param progress  hears how many bytes were read; all are read three times.
     * @return what is in it.
     * @throws ServerException if the backup is no good, or the directory holds something or cannot be written.
     */
    public static StoredBackup restore(
        final Path path, final Path directory, final int shards, final LongConsumer progress)
    {
        if (shards < 0 || shards > SuperblockDescriptor.MAX_SHARDS)
        {
            throw new IllegalArgumentException("a table has 1 to " + SuperblockDescriptor.MAX_SHARDS +
                " shards: shards=" + shards);
        }
        try
        {
            final BackupReader reader = BackupReader.open(path, progress);
            final long records = reader.verify((bytes) -> progress.accept(reader.size() + bytes));
            new Restoration(reader, directory, shards, (bytes) -> progress.accept(2 * reader.size() + bytes)).run();
            return of(path, reader, records);
        }
        catch (final BackupException e)
        {
            throw new ServerException(e.getMessage(), e);
        }
    }

    /**
     * Reads the records of a backup that was verified, in no particular order.
     *
     * @param path     of the file.
     * @param listener takes them.
     * @throws ServerException if it is not good any more.
     */
    public static void read(final Path path, final RecordListener listener)
    {
        try
        {
            new BackupRecords(BackupReader.open(path, (bytes) -> {}), listener::onRecord).read();
        }
        catch (final BackupException e)
        {
            throw new ServerException(e.getMessage(), e);
        }
    }

    private static StoredBackup of(final Path path, final BackupReader reader, final long records)
    {
        return new StoredBackup(
            path, reader.header().tableId(), reader.header().shards(), records, reader.size(),
            reader.header().createdMs(), reader.header().version(), reader.indexes());
    }
}
