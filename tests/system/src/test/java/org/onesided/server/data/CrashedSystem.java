package org.onesided.server.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** Makes the data directory of a killed server look as if the operating system had been started anew since. */
public final class CrashedSystem
{
    private CrashedSystem()
    {
    }

    /**
     * @param directory of a table, which no server uses.
     * @throws IOException if it cannot be read or written.
     */
    public static void pretend(final Path directory) throws IOException
    {
        final Path file = directory.resolve("table");
        final TableFile table = TableFile.decode(Files.readAllBytes(file), file);
        Files.write(file, table.used(UUID.randomUUID(), table.sync(), table.isClean()).encode().array());
    }
}
