package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.client.StoreClient;
import org.onesided.client.types.ShardStatistics;
import org.onesided.server.ServerOptions;
import org.onesided.server.data.DataOptions;
import org.onesided.server.data.ReadBackListener;

/** How a server starts whose table is on disk. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StoredStartTest
{
    private static final int RECORDS = 200;

    @TempDir
    private Path folder;

    private Path data()
    {
        return folder.resolve("data");
    }

    private ServerOptions options()
    {
        return TestStore.options().data(DataOptions.in(data()));
    }

    private static void put(final StoreClient client, final int from)
    {
        for (int i = from; i < from + RECORDS; i++)
        {
            client.put("key " + i, "value " + i);
        }
    }

    private static void check(final StoreClient client, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            assertEquals("value " + i, client.get("key " + i));
        }
    }

    /** Waits until each shard has a snapshot of all that was put. */
    private static void snapshot(final StoreClient client)
    {
        final List<ShardStatistics> asked = client.snapshot();
        boolean isDone = false;
        while (!isDone)
        {
            final List<ShardStatistics> now = client.statistics();
            isDone = true;
            for (int i = 0; i < asked.size(); i++)
            {
                isDone &= now.get(i).storage().snapshotIndex() >= asked.get(i).storage().appliedIndex();
            }
            Thread.onSpinWait();
        }
    }

    /** What a listener heard. */
    private static final class Heard implements ReadBackListener
    {
        private final List<Double> shares = new ArrayList<>();
        private long length;

        @Override
        public void onReadBack(final long bytes, final long newLength)
        {
            assertTrue(bytes >= 0 && bytes <= newLength, bytes + " of " + newLength);
            length = newLength;
            shares.add((double)bytes / newLength);
        }
    }

    @Test
    void shouldTellHowFarSnapshotsAndLogsAreReadBack()
    {
        final Heard none = new Heard();
        try (TestStore store = new TestStore(options().data(DataOptions.in(data()).onReadBack(none)));
            StoreClient client = store.client())
        {
            assertEquals(List.of(), none.shares, "a new table has nothing to read back");
            put(client, 0);
            snapshot(client);
            put(client, RECORDS);
        }
        final Heard heard = new Heard();
        try (TestStore store = new TestStore(options().data(DataOptions.in(data()).onReadBack(heard)));
            StoreClient client = store.client())
        {
            check(client, 2 * RECORDS);
            assertTrue(heard.shares.size() > 4, "at least each snapshot and log when it is checked: " + heard.shares);
            assertTrue(heard.shares.get(0) < 0.5, heard.shares.toString());
            assertEquals(1, heard.shares.get(heard.shares.size() - 1));
            // Records and log, each twice.
            assertTrue(heard.length > 2 * 2 * RECORDS * "key 0value 0".length(), "length=" + heard.length);
        }
    }
}
