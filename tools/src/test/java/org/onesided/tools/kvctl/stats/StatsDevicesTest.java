package org.onesided.tools.kvctl.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.onesided.client.types.ClientStatistics;
import org.onesided.client.types.ServerInfo;
import org.onesided.client.types.ShardStatistics;
import org.onesided.tools.kvctl.console.Figures;

class StatsDevicesTest
{
    private static final String TCP = "tcp:0.0.0.0:7000";
    private static final ServerInfo SERVER =
        new ServerInfo("127.0.0.1:1", 1, 1, 2, "shm", 1, 1, 8192, 4096, 1 << 20, 1 << 20, false, 1000,
            "density", 90_000);
    private static final ClientStatistics CLIENTS =
        new ClientStatistics(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    /** A session may be seen by one shard already and not by the other. */
    private static final List<ShardStatistics> SHARDS = List.of(shard(0, 1, 2), shard(1, 1, 1));

    private static ShardStatistics shard(final int number, final long shm, final long tcp)
    {
        return new ShardStatistics(
            number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, shm + tcp,
            Map.of("shm", shm, TCP, tcp), null);
    }

    @Test
    void shouldCountASessionOnceThoughItIsAtEachShard()
    {
        assertEquals(Map.of("shm", 1L, TCP, 2L), StatsFigures.sessionsByDevice(SHARDS));
    }

    @Test
    void shouldShowWhyKeysMayLeave()
    {
        final String table = StatsTable.text(SERVER, SHARDS);
        assertTrue(table.contains("evict       density\ndefault ttl 1m30s\n"), table);
        final String plain = StatsFigures.of(SERVER, SHARDS, CLIENTS).plain();
        assertTrue(plain.contains("evict density\ndefault_ttl_ms 90000\n"), plain);
    }

    @Test
    void shouldShowSessionsByDeviceInEachForm()
    {
        final String table = StatsTable.text(SERVER, SHARDS);
        assertTrue(table.lines().anyMatch((line) -> line.matches("  tcp:0\\.0\\.0\\.0:7000 +2")), table);
        assertTrue(table.lines().anyMatch((line) -> line.matches("  tcp:0\\.0\\.0\\.0:7000 +2 +1")), table);
        assertTrue(table.lines().anyMatch((line) -> line.matches("  shm +1")), table);
        final Figures figures = StatsFigures.of(SERVER, SHARDS, CLIENTS);
        assertTrue(figures.plain().contains("total.sessions_by_device." + TCP + " 2\n"), figures.plain());
        assertTrue(figures.plain().contains("shard.1.sessions_by_device." + TCP + " 1\n"), figures.plain());
        assertTrue(figures.json().matches(".*\"sessions_by_device\":\\{[^}]*\"" + TCP + "\":2[,}].*"), figures.json());
    }
}
