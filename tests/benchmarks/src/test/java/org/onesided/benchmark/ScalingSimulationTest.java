package org.onesided.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.onesided.testing.ProjectFolder;

class ScalingSimulationTest
{
    @Test
    void shouldCountWhatAServerHas()
    {
        final ScaledCluster cluster = new ScaledCluster(4, 10, 8, 2, 3, 500);
        assertEquals(4, cluster.groups());
        assertEquals(2, cluster.led());
        assertEquals(24, cluster.sessionsOfClient());
        assertEquals(60, cluster.queuePairs());
        // 16 credits and 4 buffers for answers of 8 KiB.
        assertEquals(60 * 20 * 8192, cluster.serverBytes());
        assertEquals(240, cluster.leaseRequests());
        assertEquals(40, cluster.sharedLeaseRequests());
        assertEquals(16, cluster.proofs());
        assertEquals(6, cluster.sessionHeartbeats());
        assertEquals(16, cluster.raftHeartbeats());
    }

    @Test
    void shouldMoveAllSessionsOfADeadServer()
    {
        // One partition of it: all of its sessions go to one server.
        final FailoverStorm one = new FailoverStorm(new ScaledCluster(10, 7, 10, 3, 2, 500), 1);
        assertEquals(1, one.targets());
        assertEquals(14, one.medianSessions());
        assertEquals(14, one.worstSessions());
        // With two servers, to the other one.
        final FailoverStorm other = new FailoverStorm(new ScaledCluster(2, 7, 8, 2, 1, 500), 1);
        assertEquals(28, other.worstSessions());
        // Eight partitions go to one server rarely, and to eight rarely.
        final FailoverStorm several = new FailoverStorm(new ScaledCluster(100, 1, 800, 3, 1, 500), 1);
        assertTrue(several.targets() > 7 && several.targets() < 8, () -> "" + several.targets());
        assertTrue(several.medianSessions() <= several.worstSessions());
    }

    @Test
    void shouldPrintWhatThePageSays() throws Exception
    {
        final String page = Files.readString(ProjectFolder.ROOT.resolve("docs/scaling.md"));
        final String text = ScalingSimulation.text();
        assertTrue(page.contains(text), () -> "docs/scaling.md lacks what tests/run scaling prints:\n" + text);
    }

    @Test
    void shouldCiteWhatWasMeasured() throws Exception
    {
        final Matcher cited = Pattern.compile("takes ([\\d,]+) puts a second")
            .matcher(Files.readString(ProjectFolder.ROOT.resolve("docs/scaling.md")));
        assertTrue(cited.find());
        assertTrue(Files.readString(ProjectFolder.ROOT.resolve("docs/durability.md"))
            .contains("onesided, no --data: 1 client | " + cited.group(1) + " ("), cited::group);
    }
}
