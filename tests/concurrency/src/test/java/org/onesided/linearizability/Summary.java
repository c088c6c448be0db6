package org.onesided.linearizability;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What the runs on one device came to, together.
 */
final class Summary
{
    private final String device;
    private long operations;
    private long faults;
    private long tornReads;
    private long violations;

    Summary(final String device)
    {
        this.device = device;
    }

    void add(final RunResult result)
    {
        operations += result.operations();
        faults += result.faults();
        tornReads += result.tornReads();
        violations += result.violations().size();
    }

    /** Adds a line to a file: device, operations, faults, torn READs and violations, with tabs between them. */
    void append(final Path file) throws IOException
    {
        Files.writeString(
            file,
            String.format("%s\t%d\t%d\t%d\t%d%n", device, operations, faults, tornReads, violations),
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
    }
}
