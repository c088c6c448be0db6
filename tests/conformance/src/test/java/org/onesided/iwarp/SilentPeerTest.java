package org.onesided.iwarp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.onesided.testing.HangGuard;
import org.onesided.verbs.CompletionChannel;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.QueuePairState;

/**
 * Peers whose connection stands but from which nothing comes, as after a cut of the network. Their queue pairs fail
 * once they have had their time, of 4 seconds here, and whatever the kernel still has for them is thrown away.
 */
class SilentPeerTest extends IwarpTest
{
    private static final int SOURCE = 0x3333_0001;

    private DeviceEnd connecting;

    @BeforeEach
    void openAnother()
    {
        connecting = opened(new DeviceEnd("tcp", LENGTH));
    }

    @Tag("full")
    @Test
    void shouldFailQueuePairsWhosePeersAreSilent() throws IOException
    {
        final List<DeviceLink> links = new ArrayList<>();
        final List<IwarpPeer> peers = new ArrayList<>();

        // A READ is not answered, and somebody polls.
        final DeviceLink polled = add(connected(null), links, peers);
        polled.read(1, 0, 100, 0, SOURCE);
        assertEquals(100, ReadRequest.of(peers.get(0).next()).size());

        // The same, and somebody sleeps.
        final CompletionChannel channel = opened(connecting.context.createCompletionChannel());
        final DeviceLink sleeping = add(connected(channel), links, peers);
        sleeping.read(2, 0, 100, 0, SOURCE);
        assertEquals(100, ReadRequest.of(peers.get(1).next()).size());

        // A message is not answered. That it has arrived is asked for, too.
        final DeviceLink messenger = add(connected(null), links, peers);
        messenger.receive(3, 0, 100);
        messenger.send(4, 0, 100, false);
        messenger.await(4);
        assertEquals(100, peers.get(2).message(1, Segment.SEND).length);

        // The peer has got what it READ, and says no more.
        final DeviceLink answering = add(link(), links, peers);
        answering.receive(5, 0, 100);
        checkRead(peers.get(3), 0, 1000);

        awaitEvent(sleeping, channel);
        sleeping.await(2, CompletionStatus.RETRY_EXC_ERR);
        polled.await(1, CompletionStatus.RETRY_EXC_ERR);
        messenger.await(3, CompletionStatus.WR_FLUSH_ERR);
        answering.await(5, CompletionStatus.WR_FLUSH_ERR);
        links.forEach((link) -> assertEquals(QueuePairState.ERR, link.queuePair.state()));
        links.forEach((link) -> assertTrue(link.queuePair.failureReason().matches(
            "peer gave no sign for [1-9][0-9]* s: peer=127\\.0\\.0\\.1:[0-9]+"), link.queuePair.failureReason()));
        assertEquals(0, ReadRequest.of(peers.get(2).next()).size());
        assertEquals(0, ReadRequest.of(peers.get(3).next()).size());
        for (int i = 0; i < 4; i++)
        {
            assertTrue(peers.get(i).isClosedByDevice());
        }
        assertEquals(3, connecting.counter("peers_silent"));
        assertEquals(1, end.counter("peers_silent"));
    }

    @Test
    void shouldGoOnWithAPeerThatIsThere() throws IOException
    {
        final DeviceLink link = link();
        link.options = usual(link);
        final IwarpPeer peer = initiate(link);
        checkRead(peer, 0, 1000);
        final ReadRequest asked = ReadRequest.of(peer.next());
        assertEquals(0, asked.size());
        peer.respond(asked, new byte[0]);
        // Were it asked again, that would be the next thing to come.
        checkRead(peer, 1000, 1000);
        assertArrayEquals(DeviceEnd.pattern(0, 10), end.bytes(0, 10));
        assertEquals(QueuePairState.RTS, link.queuePair.state());
        assertEquals(0, end.counter("peers_silent"));
    }

    /** As stores have it: the device gives a peer more time than that. */
    private static ConnectionOptions usual(final DeviceLink link)
    {
        final ConnectionOptions defaults = ConnectionOptions.defaults(0);
        return link.end.options.timeout(defaults.timeout(), defaults.retryCount());
    }

    private static void awaitEvent(final DeviceLink link, final CompletionChannel channel)
    {
        final long endNs = hangNs();
        link.arm();
        assertNotNull(channel.awaitEvent(HangGuard.nanos(20)));
        assertTrue(System.nanoTime() - endNs < 0);
        link.acknowledge();
    }

    private DeviceLink connected(final CompletionChannel channel)
    {
        return opened(new DeviceLink(connecting, DEPTH, channel));
    }

    private DeviceLink add(final DeviceLink link, final List<DeviceLink> links, final List<IwarpPeer> peers)
        throws IOException
    {
        links.add(link);
        link.options = usual(link);
        if (link.end == connecting)
        {
            final IwarpPeer peer = respond(link);
            assertEquals(Segment.WRITE, peer.next().opcode(), "RTR frame");
            peers.add(peer);
        }
        else
        {
            peers.add(initiate(link));
        }
        return link;
    }
}
