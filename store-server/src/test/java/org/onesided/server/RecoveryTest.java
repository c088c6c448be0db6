package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.server.data.DataOptions;

@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RecoveryTest
{
    private final Recovery recovery =
        new Recovery(DataOptions.in(Path.of("data")), 2, new ReadBack((bytes, of) -> { }));

    @Test
    void shouldEndWhenAllShardsHaveReadBackTheirLogs()
    {
        recovery.onRecovered(1, List.of());
        recovery.onRecovered(0, List.of());
        recovery.await(List.of(), false, () -> null);
        assertEquals(0, recovery.sessions().size());
    }

    @Test
    void shouldNotWaitForAShardOnceTheServerFails()
    {
        recovery.onRecovered(0, List.of());
        final Throwable cause = new IllegalStateException("shard cannot apply its log");
        final ServerException failed =
            assertThrows(ServerException.class, () -> recovery.await(List.of(), true, () -> cause));
        assertSame(cause, failed.getCause());
        assertTrue(failed.getMessage().contains("path=data"), failed.getMessage());
    }
}
