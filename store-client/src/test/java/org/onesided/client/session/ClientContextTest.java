package org.onesided.client.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.bootstrap.HostAndPort;
import org.onesided.client.lease.HeldLease;
import org.onesided.client.types.ServerInfo;
import org.onesided.client.types.Waiting;
import org.onesided.verbs.HugePages;

class ClientContextTest
{
    private final List<Long> lives = new ArrayList<>();
    private final ClientContext context = new ClientContext(
        new ClientConfiguration(
            "127.0.0.1:1", new byte[0], null, "shm", StoreClientBuilder.DEFAULT_CONNECTION, 1, 1, 0, HugePages.AUTO,
            Waiting.DEFAULT,
            (before, now) -> lives.add(now.serverLife()), null),
        HostAndPort.parse("127.0.0.1:1"),
        null,
        null);

    private static ServerInfo life(final long number)
    {
        return new ServerInfo(
            "127.0.0.1:1", number, number, 1, "shm", 1, 1, 8192, 4096, 1 << 20, 1 << 20, false, 1000, "none", 0);
    }

    @Test
    void shouldTellOfEachLifeOnceThoughASlowSessionStillFoundTheFormer()
    {
        context.attached(life(7));
        context.attached(life(7));
        context.attached(life(5));
        context.attached(life(7));
        context.attached(life(5));

        assertEquals(List.of(5L), lives);
        assertEquals(5, context.server().serverLife());
    }

    /** A server that keeps its data is restarted: nothing was lost, but nothing is where it was. */
    @Test
    void shouldNotTellOfTheSameLifeInOtherMemoryButForgetWhatItLearned()
    {
        context.attached(life(7));
        final Table before = context.share(FakeServer.SUPERBLOCK, 1);
        final Table beside = context.share(FakeServer.SUPERBLOCK, 1);
        context.attached(life(7));
        final Table after = context.share(FakeServer.SUPERBLOCK, 2);
        try
        {
            assertEquals(List.of(), lives);
            assertSame(before, beside);
            assertNotSame(before, after);
        }
        finally
        {
            before.release();
            beside.release();
            after.release();
            context.close();
        }
    }

    /** A lease counts for no other memory, also where both are of one server. */
    @Test
    void shouldShareLeasesOfTheSameMemoryOnly()
    {
        final HeldLease first = context.lease(1, 1000);
        assertSame(first, context.lease(1, 1000));
        final HeldLease second = context.lease(2, 1000);
        assertNotSame(first, second);
        assertSame(second, context.lease(2, 1000));
        assertEquals(1, first.life());
        assertEquals(2, second.life());
    }
}
