package org.onesided.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ServerFailureTest
{
    private final AtomicInteger told = new AtomicInteger();
    private final ServerFailure failure = new ServerFailure(told::incrementAndGet, () -> { });

    /** Another server is started in its place, and whoever waits for that one's end must not be told of this one's. */
    @Test
    void shouldTellNobodyThatItBeginsAnewWhileItStarts()
    {
        failure.beginAnew("a snapshot has come", new IllegalStateException());
        assertTrue(failure.beginsAnew());
        assertEquals(0, told.get());
    }

    /** What it leads can be handed over, as by a server that is told to stop. */
    @Test
    void shouldTellWhetherItEndsInOrder()
    {
        failure.started();
        assertTrue(failure.isInOrder());
        failure.beginAnewInOrder("a partition comes back");
        assertTrue(failure.isInOrder());
        assertTrue(failure.beginsAnew());
        final ServerFailure broken = new ServerFailure(() -> { }, () -> { });
        broken.fail("a thread has ended", new IllegalStateException());
        broken.beginAnewInOrder("a partition comes back");
        assertFalse(broken.isInOrder());
        assertFalse(broken.beginsAnew());
    }

    /** Two partitions come back, or one does and a snapshot comes: the first end counts. */
    @Test
    void shouldEndInOrderThoughItIsToldSoTwice()
    {
        failure.started();
        failure.beginAnewInOrder("a partition comes back");
        failure.beginAnewInOrder("another one comes back");
        failure.beginAnew("a snapshot has come", new IllegalStateException());
        assertTrue(failure.isInOrder());
        assertTrue(failure.beginsAnew());
        assertEquals(1, told.get());
    }

    @Test
    void shouldTellOnceStarted()
    {
        failure.fail("a thread has ended", new IllegalStateException());
        assertEquals(0, told.get());
        failure.started();
        assertEquals(1, told.get());
        assertFalse(failure.isServing());
    }

    @Test
    void shouldTellAtOnceWhenStarted()
    {
        failure.started();
        failure.beginAnew("a snapshot has come", new IllegalStateException());
        failure.beginAnew("another one", new IllegalStateException());
        assertEquals(1, told.get());
    }
}
