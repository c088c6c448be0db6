package org.onesided.server.session;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Gid;
import org.onesided.verbs.VerbsException;

class UnreachablePeersTest
{
    private static final long NOW_NS = Long.MAX_VALUE - 5;
    private static final long LATER_NS = NOW_NS + TimeUnit.SECONDS.toNanos(1);
    private static final long MUCH_LATER_NS = NOW_NS + TimeUnit.SECONDS.toNanos(2);

    private final UnreachablePeers peers = new UnreachablePeers();

    @Test
    void shouldRefuseAGidToWhichThereWasNoWayUntilItIsTimeToTryAgain()
    {
        final VerbsException cause = new VerbsException("modify_qp", Errno.ETIMEDOUT, "no way");
        peers.failed(List.of(peer(2), peer(2)), cause, NOW_NS);
        assertSame(cause, assertThrows(VerbsException.class, () -> peers.check(List.of(peer(2)), LATER_NS)));
        assertDoesNotThrow(() -> peers.check(List.of(peer(3)), LATER_NS));
        assertDoesNotThrow(() -> peers.check(List.of(peer(2)), MUCH_LATER_NS));
        peers.failed(List.of(peer(2)), cause, MUCH_LATER_NS);
        assertThrows(VerbsException.class, () -> peers.check(List.of(peer(2)), MUCH_LATER_NS));
    }

    @Test
    void shouldNotHoldAFailureAgainstAPeerThatSomebodyElseNamedToo()
    {
        peers.failed(List.of(peer(1), peer(2)), new VerbsException("modify_qp", Errno.ETIMEDOUT, "no way"), NOW_NS);
        assertDoesNotThrow(() -> peers.check(List.of(peer(1)), NOW_NS));
        assertDoesNotThrow(() -> peers.check(List.of(peer(2)), NOW_NS));
    }

    @Test
    void shouldNotHoldOtherFailuresAgainstAPeer()
    {
        peers.failed(List.of(peer(1)), new VerbsException("create_qp", Errno.ENOMEM, "full"), NOW_NS);
        assertDoesNotThrow(() -> peers.check(List.of(peer(1)), NOW_NS));
    }

    private static Endpoint peer(final long gid)
    {
        return new Endpoint(1, 0, new Gid(0, gid), 0, 1024, 1, 1, new byte[0]);
    }
}
