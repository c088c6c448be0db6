package org.onesided.server.log;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The snapshots of one shard, as its log sees them: it sends the newest one to members that are far behind, and takes
 * over what comes from a leader. Thread-safe.
 */
public interface SnapshotFiles
{
    /**
     * A snapshot.
     *
     * @param file  whole and forced to the disk; never changed, but it may be deleted at any time.
     * @param term  of the last entry in it.
     * @param index of that entry.
     */
    record Newest(Path file, long term, long index)
    {
    }

    /**
     * @return the newest snapshot, or null if there is none.
     * @throws IOException if it cannot be read.
     */
    Newest newest() throws IOException;

    /**
     * Checks a snapshot that has come from another member, forces it to the disk, and makes it the newest one.
     *
     * @param file in the same file system; it is moved.
     * @throws IOException if it is damaged or of another shard, or cannot be moved.
     */
    void adopt(Path file) throws IOException;
}
