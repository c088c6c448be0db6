package org.onesided.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Lets a process tell, when it ends, how many faults its devices have injected: into a file of the folder that
 * the system property {@value #FOLDER_PROPERTY} names. One that is killed tells nothing.
 */
public final class FaultReport
{
    /** Names the folder. */
    public static final String FOLDER_PROPERTY = "onesided.chaos.reports";

    private static final String PREFIX = "faults-";

    private static boolean hasBegun;

    private FaultReport()
    {
    }

    /**
     * Sums up what processes have told.
     *
     * @param folder that they were given.
     * @return all their faults.
     * @throws IOException if it cannot be read.
     */
    public static long total(final Path folder) throws IOException
    {
        long total = 0;
        try (Stream<Path> files = Files.list(folder))
        {
            final List<Path> reports = files.filter(file -> file.getFileName().toString().startsWith(PREFIX)).toList();
            for (final Path report : reports)
            {
                total += Long.parseLong(Files.readString(report));
            }
        }
        return total;
    }

    /** Sees to it that this process will tell. */
    static synchronized void begin()
    {
        final String folder = System.getProperty(FOLDER_PROPERTY);
        if (!hasBegun && folder != null)
        {
            hasBegun = true;
            final Path file = Path.of(folder, PREFIX + ProcessHandle.current().pid());
            Runtime.getRuntime().addShutdownHook(new Thread(() -> write(file), "fault-report"));
        }
    }

    private static void write(final Path file)
    {
        try
        {
            Files.writeString(file, Long.toString(ChaosDevice.total()));
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }
}
