package org.onesided.endtoend.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.client.StoreClient;
import org.onesided.client.types.ServerInfo;
import org.onesided.server.data.CrashedSystem;
import org.onesided.testing.ServerProcess;

/**
 * What a client hears that reconnects to a store on disk: acknowledged writes may be missing only after a crash of the
 * system, and only if the server did not wait for the disk.
 */
@Timeout(value = 600, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SystemCrashTest
{
    private static final Duration DEADLINE = Duration.ofSeconds(120);

    @TempDir
    private Path folder;

    private ServerProcess start(final String address, final String sync) throws IOException
    {
        return ServerProcess.startOn(address, "--data", folder.resolve("data").toString(), "--sync", sync,
            "--memory", "64m", "--shards", "1");
    }

    @ParameterizedTest
    @CsvSource({"interval, false, 0", "interval, true, 1", "always, true, 0"})
    void shouldTellOfWritesThatMayBeMissing(final String sync, final boolean isSystemCrash, final int told)
        throws Exception
    {
        final List<ServerInfo> lives = new CopyOnWriteArrayList<>();
        try (ServerProcess killed = start("127.0.0.1:0", sync);
            StoreClient client = StoreClient.builder().server(killed.address()).device("shm").deadline(DEADLINE)
                .onServerLife((before, now) -> lives.add(now)).build())
        {
            final ServerInfo before = client.server();
            client.put("key", "value");
            killed.kill();
            if (isSystemCrash)
            {
                CrashedSystem.pretend(folder.resolve("data"));
            }
            try (ServerProcess restarted = start(killed.address(), sync))
            {
                assertEquals("value", client.get("key"));
                client.put("key", "other");
                assertEquals("other", client.get("key"));
                assertTrue(client.clientStatistics().reconnects() >= 1);
                assertEquals(told, lives.size());
                if (told > 0)
                {
                    assertNotEquals(before.serverLife(), lives.get(0).serverLife());
                    assertEquals(before.tableId(), lives.get(0).tableId());
                }
                assertEquals(0, restarted.terminate());
            }
        }
    }
}
