package org.onesided.server.shard.snapshot;

import org.onesided.server.shard.snapshot.TableBackup.Stage;

/**
 * How far a shard has come with a backup that it has not begun to write. Belongs to the shard's thread.
 */
final class BackupTurn
{
    private final TableBackup backup;
    private int arrived;
    /** Since when long values are held back. */
    private long heldNs;

    BackupTurn(final TableBackup backup)
    {
        this.backup = backup;
    }

    TableBackup backup()
    {
        return backup;
    }

    /** Whether long values are to be held back. */
    boolean holdsBack()
    {
        return backup.isOfOneMoment() ? backup.isReached(Stage.QUIET) : arrived > 0;
    }

    /** Whether the shard must not apply anything. */
    boolean isStopped()
    {
        return backup.isOfOneMoment() && arrived > Stage.STOPPED.ordinal();
    }

    /**
     * Goes on as far as the other shards are, if the backup is of one moment. The shard writes no snapshot.
     *
     * @param isWhole whether no entry is applied in part, and no value is in the log in part.
     * @return whether the shard begins to write now: all have stopped, or none waits for others.
     */
    boolean advance(final boolean isWhole)
    {
        arriveAfter(Stage.QUIET, true);
        return backup.isOfOneMoment() ? advanceTogether(isWhole) : advanceAlone(isWhole);
    }

    private boolean advanceAlone(final boolean isWhole)
    {
        heldNs = heldNs == 0 ? System.nanoTime() : heldNs;
        arriveAfter(Stage.WHOLE, isWhole);
        arriveAfter(Stage.STOPPED, isWhole);
        final boolean begins = arrived == Stage.values().length;
        if (!begins && System.nanoTime() - heldNs > backup.stopLimitNs())
        {
            backup.giveUp("a partition has parts of long values in its log all the time, or waits for room, try " +
                "again later");
        }
        return begins;
    }

    private boolean advanceTogether(final boolean isWhole)
    {
        if (backup.isReached(Stage.QUIET))
        {
            heldNs = heldNs == 0 ? System.nanoTime() : heldNs;
            arriveAfter(Stage.WHOLE, isWhole);
            arriveAfter(Stage.STOPPED, isWhole && backup.isReached(Stage.WHOLE));
            if (backup.isReached(Stage.STOPPED))
            {
                return true;
            }
            if (System.nanoTime() - heldNs > backup.stopLimitNs())
            {
                backup.giveUp("shards could not stop together for the backup, as one of them waits for room or for " +
                    "a long value, try again later");
            }
        }
        return false;
    }

    private void arriveAfter(final Stage stage, final boolean isThere)
    {
        if (arrived == stage.ordinal() && isThere)
        {
            arrived++;
            backup.arrive(stage);
        }
    }
}
