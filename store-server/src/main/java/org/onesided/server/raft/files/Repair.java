package org.onesided.server.raft.files;

import java.io.IOException;

/**
 * A change of a log's files.
 */
@FunctionalInterface
public interface Repair
{
    /**
     * Makes the change, and waits until it is on the disk.
     *
     * @throws IOException if it cannot be made.
     */
    void run() throws IOException;
}
