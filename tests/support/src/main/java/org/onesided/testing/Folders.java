package org.onesided.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Folders that a test has made. */
public final class Folders
{
    private Folders()
    {
    }

    /**
     * Deletes a folder with all that is in it.
     *
     * @param folder that is there.
     * @throws IOException if not all of it can be deleted.
     */
    public static void delete(final Path folder) throws IOException
    {
        try (Stream<Path> all = Files.walk(folder))
        {
            // Files before the folders that they are in.
            for (final Path path : all.sorted(Comparator.reverseOrder()).toList())
            {
                Files.deleteIfExists(path);
            }
        }
    }
}
