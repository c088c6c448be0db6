package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.client.StoreClient;
import org.onesided.client.types.ShardStorage;
import org.onesided.server.data.DataOptions;

/** Snapshots that clients ask for. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RequestedSnapshotTest
{
    private static final int ROUNDS = 3;
    private static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(1);

    @TempDir
    private Path folder;

    private static ShardStorage now(final StoreClient client)
    {
        return client.statistics().get(0).storage();
    }

    /** Each contains what was put before it was asked for. */
    @Test
    void shouldPauseBetweenSnapshotsThatAreAskedForInARow()
    {
        try (TestStore store = new TestStore(TestStore.options().shards(1).data(DataOptions.in(folder)));
            StoreClient client = store.client())
        {
            long startNs = 0;
            for (int i = 0; i <= ROUNDS; i++)
            {
                client.put("key", "value " + i);
                final long wanted = client.snapshot().get(0).storage().appliedIndex();
                while (now(client).snapshotIndex() < wanted)
                {
                    // More requests share the same snapshot.
                    client.snapshot();
                }
                startNs = i == 0 ? System.nanoTime() : startNs;
            }
            final long tookNs = System.nanoTime() - startNs;
            // The end of the first one was before this clock began: that takes some of the first pause.
            assertTrue(tookNs >= (ROUNDS - 1) * PAUSE_NS, "took " + tookNs + " ns");
        }
    }
}
