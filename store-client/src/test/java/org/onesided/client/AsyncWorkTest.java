package org.onesided.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.onesided.client.bootstrap.HostAndPort;
import org.onesided.client.callback.AsyncOperation;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.session.ClientConfiguration;
import org.onesided.client.session.ClientContext;
import org.onesided.client.types.Waiting;
import org.onesided.verbs.HugePages;

/**
 * With a client that has no device, so that no session can be opened: an error that is no failure of the store.
 */
class AsyncWorkTest
{
    private final ClientContext context = new ClientContext(
        new ClientConfiguration(
            "127.0.0.1:1", new byte[0], null, "shm", StoreClientBuilder.DEFAULT_CONNECTION, 1, 1, 0, HugePages.AUTO,
            Waiting.DEFAULT,
            (before, now) -> assertNull(before), null),
        HostAndPort.parse("127.0.0.1:1"),
        null,
        null);
    private final List<String> watched = new ArrayList<>();
    private final AsyncWork work = new AsyncWork(
        context, false, (operation) -> watched.add(operation.name()), () -> false, () -> false);

    private void offer(final String name)
    {
        assertTrue(work.offer(new AsyncOperation(name, new byte[1], new byte[1],
            System.nanoTime() + TimeUnit.HOURS.toNanos(1), (result, failure) -> assertNull(result))));
    }

    private String failed()
    {
        assertThrows(NullPointerException.class, work::begin);
        work.failBeginning("test");
        final String name = work.ended().remove().name();
        assertNull(work.ended().peek());
        return name;
    }

    @Test
    void shouldFailWhatWaitsOnceThoughItCannotBeBegun()
    {
        offer(Operation.PUT);
        offer(Operation.DELETE);
        // Takes them out of the queue.
        work.expire();
        assertTrue(work.isQueueEmpty());

        assertEquals(Operation.PUT, failed());
        assertEquals(Operation.DELETE, failed());
        assertEquals(0, work.begin());
    }

    @Test
    void shouldBeginLookupsBeforeWritesAfterItsThreadWasKept()
    {
        offer(Operation.PUT);
        offer(Operation.GET);
        work.expire();
        offer(Operation.GET);
        work.expire();

        assertEquals(Operation.GET, failed());
        assertEquals(Operation.GET, failed());
        assertEquals(Operation.PUT, failed());
        assertEquals(0, work.begin());
    }

    /** A thread that waits for the longest of all must not keep others beyond their deadlines. */
    @Test
    void shouldHaveWatchedWhatWasQueuedBeforeOthersHaveMoreTime()
    {
        offer(Operation.PUT);
        offer(Operation.GET);
        work.expire();
        offer(Operation.DELETE);
        failed();
        assertEquals(List.of(), watched);

        work.watchQueued();
        offer(Operation.TOUCH);
        assertEquals(Operation.PUT, failed());
        assertEquals(List.of(Operation.PUT), watched);
        assertEquals(Operation.DELETE, failed());
        assertEquals(List.of(Operation.PUT, Operation.DELETE), watched);
    }

    @Test
    void shouldHaveWatchedWhatWaitsBeforeOthersHaveMoreTime()
    {
        offer(Operation.PUT);
        offer(Operation.DELETE);
        offer(Operation.GET);
        work.expire();
        work.watchQueued();
        failed();

        assertEquals(Set.of(Operation.PUT, Operation.DELETE, Operation.GET), Set.copyOf(watched));
    }

    @Test
    void shouldFailLookupsAndWritesThatWaitAtTheEnd()
    {
        offer(Operation.PUT);
        offer(Operation.GET);
        work.expire();
        offer(Operation.DELETE);
        work.failQueued();

        assertEquals(3, work.ended().size());
        assertEquals(0, work.begin());
    }
}
