package org.onesided.server.data;

import java.io.IOException;
import java.nio.file.Path;

/** Another process that uses a data directory until its standard input ends. */
public final class HeldDirectory
{
    private HeldDirectory()
    {
    }

    /**
     * @param args path of the directory.
     * @throws IOException if the input cannot be read.
     */
    public static void main(final String... args) throws IOException
    {
        try (DataDirectory directory = DataDirectory.open(DataOptions.in(Path.of(args[0])), 2))
        {
            System.out.println(directory.identity().tableId());
            System.out.flush();
            while (System.in.read() >= 0)
            {
                // Until it ends.
            }
        }
    }
}
