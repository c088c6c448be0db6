package org.onesided.tools.kvctl.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.onesided.server.StoredBackup;
import org.onesided.tools.kvctl.console.Figures;
import org.onesided.tools.kvctl.console.ProgressBar;
import org.onesided.tools.kvctl.console.Surroundings;
import org.onesided.tools.text.Amounts;

/**
 * Reads and shows backups.
 */
final class StoredBackups
{
    /** Binary digits of 1 MiB. */
    static final int MIB_BITS = 20;

    private StoredBackups()
    {
    }

    /** Length of a file; 0 if it cannot be read, which its reader will say. */
    static long size(final Path path)
    {
        try
        {
            return Files.size(path);
        }
        catch (final IOException e)
        {
            return 0;
        }
    }

    /** Reads a file several times, with a bar. */
    static StoredBackup during(
        final String verb,
        final Surroundings surroundings,
        final long size,
        final int times,
        final Function<LongConsumer, StoredBackup> task)
    {
        try (ProgressBar bar = new ProgressBar(
            surroundings.err(), surroundings.errIsTerminal(), verb + " MiB", times * size >> MIB_BITS))
        {
            return task.apply((bytes) -> bar.step(bytes >> MIB_BITS));
        }
    }

    /** For programs. */
    static Figures figures(final StoredBackup backup)
    {
        return new Figures()
            .add("table_id", HexFormat.of().toHexDigits(backup.tableId()))
            .add("shards", backup.shards())
            .add("records", backup.records())
            .add("bytes", backup.bytes())
            .add("created", Instant.ofEpochMilli(backup.createdMs()).toString())
            .add("version", backup.version());
    }

    /** For people, in one line; records are not known of a backup that was not read again. */
    static String summary(final StoredBackup backup, final long bytes, final double seconds)
    {
        return (backup == null ? "" : Amounts.count(backup.records(), "record") + ", ") + Amounts.size(bytes) +
            String.format(Locale.ROOT, " in %.1f s, ", seconds) +
            Amounts.size((long)(bytes / Math.max(seconds, 1e-3))) + "/s";
    }
}
