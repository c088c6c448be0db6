package org.onesided.linearizability;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import org.onesided.testing.LogFaults;

/**
 * What a run needs of its server's log, which may be longer than memory: a server with a bug may log the same error for
 * as long as it runs.
 *
 * @param error the first line that tells of a fault; null if there is none.
 * @param end   the last lines.
 */
record ServerLog(String error, String end)
{
    private static final int END_LINES = 20;

    static ServerLog read(final Path file) throws IOException
    {
        final LogFaults faults = new LogFaults();
        final ArrayDeque<String> end = new ArrayDeque<>();
        try (BufferedReader reader = Files.newBufferedReader(file))
        {
            for (String line = reader.readLine(); line != null; line = reader.readLine())
            {
                faults.add(line);
                end.add(line);
                if (end.size() > END_LINES)
                {
                    end.remove();
                }
            }
        }
        return new ServerLog(faults.first(), String.join("\n", end));
    }
}
