package org.onesided.client.types;

/**
 * Hears how far a backup is.
 */
@FunctionalInterface
public interface BackupListener
{
    /**
     * Something has happened. Called by the thread that takes the backup, some ten times a second or more often.
     *
     * @param taken    how much of the table the server has visited, from 0 to 1.
     * @param received bytes of the backup that have come.
     * @param length   of the backup in bytes; 0 as long as the server has not made it.
     */
    void onProgress(double taken, long received, long length);
}
