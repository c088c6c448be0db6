package org.onesided.benchmark.peers;

import java.io.IOException;
import java.util.List;

/**
 * A system with its processes, and what a client of it does. For one thread, but for what {@link #access()} gives.
 */
interface ComparedSystem extends AutoCloseable
{
    /** Short, for tables. */
    String name();

    /** What holds once a put was acknowledged, and of what a lookup tells: in a line. */
    String promise();

    /** Processes of its members. */
    List<Long> pids();

    /** Opens what one more thread uses; it ends with the system. */
    RecordAccess access() throws IOException;

    @Override
    void close() throws IOException;
}
