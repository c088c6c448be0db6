package org.onesided.server.log;

/**
 * What has happened to an entry when a log hands it over.
 */
public enum SyncMode
{
    /** It is on the disk: fdatasync has returned. Entries that wait at the same time share one. */
    ALWAYS,
    /**
     * It is written to the file, and fdatasync is asked for: it survives the process, but not always the operating
     * system. A thread of Ratis syncs after each write, one write after the other, so what a crash of the system takes
     * is what was written during the syncs that had not ended. Ratis does not tell of a sync that failed.
     */
    INTERVAL
}
