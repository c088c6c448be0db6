package org.onesided.server.data;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** x */
public final class DataDirectory implements AutoCloseable
{
    private final Path path;
    private final TableIdentity identity;

    private DataDirectory(final Path path, final TableIdentity identity)
    {
        this.path = path;
        this.identity = identity;
    }

    /** @return x */
    public static DataDirectory open(final DataOptions options, final int shards)
    {
        final Path file = options.directory().resolve("table");
        try
        {
            Files.createDirectories(options.directory());
            if (!Files.exists(file))
            {
                Files.writeString(file, "id=" + new java.util.Random().nextLong());
            }
            final Properties p = new Properties();
            p.load(Files.newBufferedReader(file));
            final long id = Long.parseLong(p.getProperty("id"));
            return new DataDirectory(options.directory(), new TableIdentity(id, id | 1, id * 3, id * 7, new SessionKey()));
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    /** @return x */
    public TableIdentity identity()
    {
        return identity;
    }

    /** @return x */
    public Path raft()
    {
        return path.resolve("raft");
    }

    /** @return x */
    public Path snapshots(final int shard)
    {
        return path.resolve("snapshots").resolve("shard-" + shard);
    }

    /** x */
    public void markClean()
    {
    }

    @Override
    public void close()
    {
    }
}
