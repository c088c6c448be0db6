package org.onesided.server.data;

/**
 * Hears how far a starting server has read its table back from the disk.
 */
@FunctionalInterface
public interface ReadBackListener
{
    /**
     * Called by the thread that starts the server, several times a second while it waits. A snapshot and a log are each
     * read twice, first to be checked, so their bytes count twice.
     *
     * @param bytes  that were read so far.
     * @param length bytes to read in all; it may change a little when damage is found.
     */
    void onReadBack(long bytes, long length);
}
