package org.onesided.server.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.metrics.MetricRegistryInfo;
import org.apache.ratis.metrics.Timekeeper;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.onesided.server.log.SyncMode;

/**
 * Forces of a log that have not ended.
 */
class PendingForcesTest
{
    private static final long TABLE = 0x77L;
    private static final int MOST = 8;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(SyncMode.class)
    void shouldCountWhatALogForces(final SyncMode sync) throws Exception
    {
        try (RaftLogs logs = open(sync))
        {
            final LogUser user = new LogUser(logs.log(0));
            user.awaitReady();
            // Ratis has asked for the timer under the name by which it is known here.
            assertTrue(PendingForces.isCounting(member()));
            for (int i = 0; i < 2000; i++)
            {
                user.tryPropose(100);
                user.poll();
            }
            user.awaitNumber(user.proposed() - 1);
            user.await("the end of all forces", () -> PendingForces.count(member()) == 0);
        }
        assertFalse(PendingForces.isCounting(member()));
    }

    @Test
    void shouldTakeNoEntryWhileTooManyArePending() throws Exception
    {
        try (RaftLogs logs = open(SyncMode.INTERVAL))
        {
            final LogUser user = new LogUser(logs.log(0));
            user.awaitReady();
            final Timekeeper timer = PendingForces.timer(metrics("log_worker"), "syncTime");
            final List<Timekeeper.Context> forces = new ArrayList<>();
            while (forces.size() < MOST)
            {
                assertTrue(user.tryPropose(100));
                forces.add(timer.time());
            }
            assertFalse(user.tryPropose(100));
            forces.get(3).stop();
            assertTrue(user.tryPropose(100));
            user.awaitNumber(MOST);
        }
    }

    @Test
    void shouldWakeTheShardWhenOneOfTooManyHasEnded() throws Exception
    {
        final AtomicInteger woken = new AtomicInteger();
        final Timekeeper timer = PendingForces.timer(metrics("log_worker"), "syncTime");
        PendingForces.onRoom(member(), woken::getAndIncrement);
        try
        {
            final List<Timekeeper.Context> forces = new ArrayList<>();
            while (forces.size() < MOST + 1)
            {
                forces.add(timer.time());
            }
            forces.get(0).stop();
            assertTrue(PendingForces.areMost(member()));
            assertEquals(0, woken.get());
            forces.get(1).stop();
            assertFalse(PendingForces.areMost(member()));
            assertEquals(1, woken.get());
            forces.get(2).stop();
            assertEquals(1, woken.get());
        }
        finally
        {
            PendingForces.forget(member());
        }
    }

    @Test
    void shouldLeaveOtherTimersAlone()
    {
        assertNull(PendingForces.timer(metrics("log_worker"), "flushTime"));
        assertNull(PendingForces.timer(metrics("raft_server"), "syncTime"));
        assertEquals(0, PendingForces.count(member()));
    }

    private RaftLogs open(final SyncMode sync) throws Exception
    {
        return RaftLogs.open(new RaftLogOptions(directory, TABLE).reserveBytes(0).sync(sync),
            List.of(LogStart.withoutSnapshot(() -> {})));
    }

    private static RaftGroupMemberId member()
    {
        return Groups.member(Groups.id(TABLE, 0));
    }

    private static MetricRegistryInfo metrics(final String component)
    {
        return new MetricRegistryInfo(member().toString(), "ratis", component, "");
    }
}
