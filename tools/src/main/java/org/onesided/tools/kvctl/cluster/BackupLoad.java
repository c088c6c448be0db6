package org.onesided.tools.kvctl.cluster;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreBatchException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.client.types.Expiry;
import org.onesided.client.types.PutOptions;
import org.onesided.client.types.WriteOutcome;
import org.onesided.server.StoredBackup;
import org.onesided.tools.kvctl.console.ProgressBar;

/**
 * Puts the records of a backup into a table, by writes like those of any client. Keys that are there stay as they are,
 * so whoever repeats it after a failure overwrites nothing. Not thread-safe.
 */
final class BackupLoad
{
    private static final int MAX_PAIRS = 1_000;
    private static final long MAX_LENGTH = 1 << 20;

    private final StoreClient client;
    private final ProgressBar bar;
    private final List<byte[]> keys = new ArrayList<>();
    private final List<byte[]> values = new ArrayList<>();
    private final List<PutOptions> options = new ArrayList<>();
    private long length;
    private long done;
    private long present;

    /**
     * @param client of the table.
     * @param bar    shows how many records are done.
     */
    BackupLoad(final StoreClient client, final ProgressBar bar)
    {
        this.client = client;
        this.bar = bar;
    }

    /**
     * Puts all records of a backup that was verified.
     *
     * @throws org.onesided.client.exceptions.StoreException if the table does not take them; {@link #done} tells how
     *                                                       far it came.
     * @throws org.onesided.server.ServerException           if the backup cannot be read any more.
     */
    void run(final Path file)
    {
        StoredBackup.read(file, this::add);
        if (!keys.isEmpty())
        {
            put();
        }
    }

    private void add(final byte[] key, final byte[] value, final long expiryMs)
    {
        keys.add(key);
        values.add(value);
        // The servers' default time to live is for new keys.
        options.add(PutOptions.ifAbsent().expiry(
            expiryMs == 0 ? Expiry.NEVER : Expiry.at(Instant.ofEpochMilli(expiryMs))));
        length += key.length + value.length;
        if (keys.size() >= MAX_PAIRS || length >= MAX_LENGTH)
        {
            put();
        }
    }

    private void put()
    {
        final List<WriteOutcome> outcomes;
        try
        {
            outcomes = client.putAll(keys, values, options);
        }
        catch (final StoreBatchException e)
        {
            done += e.count(WriteFate.APPLIED);
            throw e;
        }
        done += outcomes.size();
        present += outcomes.stream().filter((each) -> !each.applied()).count();
        keys.clear();
        values.clear();
        options.clear();
        length = 0;
        bar.step(done);
    }

    /** Records that are in the table now, or whose time was over. */
    long done()
    {
        return done;
    }

    /** Records among them whose keys were there before. */
    long present()
    {
        return present;
    }
}
