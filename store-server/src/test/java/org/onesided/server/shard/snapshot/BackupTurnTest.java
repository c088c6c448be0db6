package org.onesided.server.shard.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class BackupTurnTest
{
    private final TableBackup backup = new TableBackup(Path.of("none"), 2, true);
    private final BackupTurn one = new BackupTurn(backup);
    private final BackupTurn other = new BackupTurn(backup);

    @Test
    void shouldBeginOnlyWhenAllHaveStopped()
    {
        assertFalse(one.advance(true));
        assertFalse(one.holdsBack());
        assertFalse(one.isStopped());

        assertFalse(other.advance(false));
        assertTrue(one.holdsBack() && other.holdsBack());
        assertFalse(one.advance(true));
        assertFalse(one.isStopped(), "must not stop before the other holds no value in part");

        assertFalse(other.advance(true));
        assertTrue(other.isStopped());
        assertFalse(backup.isBegun());
        assertFalse(other.advance(true), "began before the other has stopped");

        assertFalse(one.advance(false), "stopped in the middle of an entry");
        assertFalse(one.isStopped());
        assertTrue(one.advance(true));
        assertTrue(one.isStopped());
        assertTrue(other.advance(true));
        assertTrue(backup.isBegun());
        assertNull(backup.failure());
    }

    @Test
    void shouldNotStopTheOthersForLong()
    {
        final TableBackup impatient = new TableBackup(Path.of("none"), 2, true, -1);
        final BackupTurn turn = new BackupTurn(impatient);
        assertFalse(turn.advance(true));
        assertNull(impatient.failure(), "gave up though nothing was held back");
        assertFalse(new BackupTurn(impatient).advance(false));
        assertNotNull(impatient.failure());
    }

    @Test
    void shouldWaitForNobodyOnAMember()
    {
        final TableBackup ofMember = new TableBackup(Path.of("none"), 2, false);
        final BackupTurn turn = new BackupTurn(ofMember);
        assertFalse(turn.advance(false), "began in the middle of an entry");
        assertTrue(turn.holdsBack());
        assertFalse(turn.isStopped());
        assertTrue(turn.advance(true));
        assertFalse(turn.isStopped());
        assertFalse(ofMember.isBegun());
        assertTrue(new BackupTurn(ofMember).advance(true));
        assertTrue(ofMember.isBegun());

        final TableBackup impatient = new TableBackup(Path.of("none"), 2, false, -1);
        assertFalse(new BackupTurn(impatient).advance(false));
        assertNotNull(impatient.failure());
        assertTrue(ofMember.stopLimitNs() > backup.stopLimitNs(), "a member stops nothing, so it can wait longer");
    }

    @Test
    void shouldKeepTheFirstReason()
    {
        assertNull(backup.failure());
        backup.giveUp("first");
        backup.giveUp("second");
        assertEquals("first", backup.failure());
        assertFalse(backup.isOver());
        backup.leave();
        backup.leave();
        assertTrue(backup.isOver());
    }
}
