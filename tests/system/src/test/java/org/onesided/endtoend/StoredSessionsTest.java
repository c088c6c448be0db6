package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;
import org.onesided.server.ServerOptions;
import org.onesided.server.data.DataOptions;
import org.onesided.testing.HangGuard;

/** Sessions in the log of a store on disk: no more than there may be, and none for ever. */
@Timeout(value = 600, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Execution(ExecutionMode.CONCURRENT)
class StoredSessionsTest
{
    private static final int SESSIONS = 3;
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(5);

    @TempDir
    private Path folder;

    private ServerOptions options(final long leaseSeconds)
    {
        return TestStore.options().data(DataOptions.in(folder.resolve("data")))
            .leaseNs(TimeUnit.SECONDS.toNanos(leaseSeconds)).maxSessions(SESSIONS);
    }

    private static List<Long> logged(final TestStore store)
    {
        return store.server().metrics().shards().stream().map((shard) -> shard.durability().sessions()).toList();
    }

    private static void await(final TestStore store, final long sessions)
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(HangGuard.seconds(60));
        while (!logged(store).stream().allMatch((count) -> count == sessions))
        {
            assertTrue(System.nanoTime() - endNs < 0, () -> "sessions=" + logged(store) + " wanted=" + sessions);
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    /** Leaves a log with sessions whose server has gone, and whose clients will never come back. */
    private void leaveSessions()
    {
        final TestStore store = new TestStore(options(60));
        final StoreClient client = store.client();
        final List<StoreSession> opened = new ArrayList<>();
        // The client has one of its own.
        for (int i = 1; i < SESSIONS; i++)
        {
            opened.add(client.openSession());
        }
        await(store, SESSIONS);
        store.close();
        opened.forEach(StoreSession::close);
        client.close();
    }

    @Test
    void shouldEndSessionsWhoseClientsDoNotComeBack()
    {
        leaveSessions();
        try (TestStore store = new TestStore(options(60)))
        {
            await(store, SESSIONS);
        }
        try (TestStore store = new TestStore(options(1)))
        {
            await(store, 0);
        }
        try (TestStore store = new TestStore(options(60)))
        {
            await(store, 0);
        }
    }

    @Test
    void shouldEndSessionsOfTheFormerProcessForNewOnes()
    {
        leaveSessions();
        try (TestStore store = new TestStore(options(60)); StoreClient client = store.client())
        {
            final List<StoreSession> opened = new ArrayList<>();
            for (int i = 1; i < SESSIONS; i++)
            {
                opened.add(client.openSession());
                opened.get(i - 1).put("key" + i, "value");
                await(store, SESSIONS);
            }
            opened.forEach(StoreSession::close);
        }
    }

    @Test
    void shouldEndSessionsAtTheStartThatAreMoreThanThereMayBe()
    {
        leaveSessions();
        try (TestStore store = new TestStore(options(60).maxSessions(1)))
        {
            await(store, 1);
        }
    }
}
