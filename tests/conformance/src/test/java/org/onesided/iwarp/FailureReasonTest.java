package org.onesided.iwarp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.protocol.bootstrap.FreePorts;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.QueuePairState;

/**
 * A queue pair says why it failed, as soon as the first completion tells that it did.
 */
class FailureReasonTest extends IwarpTest
{
    private static final int SOURCE = 0x3333_0001;

    private DeviceEnd connecting;
    private DeviceLink link;

    @Test
    void shouldTellWhereNobodyListens() throws IOException
    {
        final int port = FreePorts.take();
        connect(port);
        failedRead();
        // The cause is the system's text, in its language.
        final String reason = link.queuePair.failureReason();
        assertTrue(reason.matches("peer's device tcp cannot be reached, open its port there and on the way: " +
            "address=127\\.0\\.0\\.1:" + port + " cause=\"[^\"]+\""), reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n", "SSH-2.0-Go\r\n"})
    void shouldTellThatSomebodyElseListens(final String banner) throws IOException
    {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            connect(other.getLocalPort());
            try (Socket socket = other.accept())
            {
                socket.getOutputStream().write(banner.getBytes());
                failedRead();
            }
            assertEquals("peer's device tcp was reached and did not take the connection: address=127.0.0.1:" +
                other.getLocalPort() + " cause=\"the program that listens there is not the device tcp\"",
                link.queuePair.failureReason());
        }
    }

    @Tag("full")
    @Test
    void shouldTellThatNoAnswerCame() throws IOException
    {
        try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            connect(mute.getLocalPort());
            link.read(1, 0, 100, 0, SOURCE);
            try (Socket socket = mute.accept())
            {
                // Until its request is there, so that the device knows that it reached somebody.
                assertEquals('M', socket.getInputStream().read());
                // It says so before the READ's time is up, for those who do not wait that long.
                assertEquals("peer's device tcp has not answered yet: address=127.0.0.1:" + mute.getLocalPort(),
                    link.queuePair.failureReason());
                assertEquals(QueuePairState.RTS, link.queuePair.state());
                link.await(1, CompletionStatus.RETRY_EXC_ERR);
            }
            assertEquals("peer's device tcp was reached and did not take the connection: address=127.0.0.1:" +
                mute.getLocalPort() + " cause=\"no answer\"", link.queuePair.failureReason());
        }
    }

    @Test
    void shouldTellWhatThePeerRefuses() throws IOException
    {
        final DeviceLink refused = link();
        final IwarpPeer peer = initiate(refused);
        refused.receive(1, 0, 100);
        peer.send(Fpdu.encode(new byte[0]));
        refused.await(1, CompletionStatus.WR_FLUSH_ERR);
        assertReason(refused, "frame is too short for what it says it is: peer=127\\.0\\.0\\.1:[0-9]+");
    }

    @Test
    void shouldTellWhatThePeersTerminateSays() throws IOException
    {
        final DeviceLink ended = link();
        final IwarpPeer peer = initiate(ended);
        ended.receive(1, 0, 100);
        peer.send(Segment.untagged(
            Segment.TERMINATE, true, Segment.TERMINATE_QUEUE, 1, 0, new byte[] {0x12, 0x03, 0, 0}));
        ended.await(1, CompletionStatus.WR_FLUSH_ERR);
        assertReason(ended, "peer ended the connection by a TERMINATE, which says: message is missing: " +
            "terminate=0x1203 peer=127\\.0\\.0\\.1:[0-9]+");
    }

    @Test
    void shouldTellThatThePeersTerminateSaysNothing() throws IOException
    {
        final DeviceLink ended = link();
        final IwarpPeer peer = initiate(ended);
        ended.receive(1, 0, 100);
        peer.send(Segment.untagged(Segment.TERMINATE, true, Segment.TERMINATE_QUEUE, 1, 0, new byte[] {0x12, 0x03}));
        ended.await(1, CompletionStatus.WR_FLUSH_ERR);
        assertReason(ended,
            "peer ended the connection by a TERMINATE without a reason: peer=127\\.0\\.0\\.1:[0-9]+");
    }

    @Test
    void shouldTellThatThePeerHasLeftAndForgetItWithReset() throws IOException
    {
        final DeviceLink left = link();
        final IwarpPeer peer = initiate(left);
        assertNull(left.queuePair.failureReason());
        peer.close();
        left.awaitGone();
        assertReason(left, "(peer closed the connection|connection lost, .+): peer=127\\.0\\.0\\.1:[0-9]+");
        left.reset();
        assertNull(left.queuePair.failureReason());
    }

    private void connect(final int port)
    {
        connecting = opened(new DeviceEnd("tcp", LENGTH));
        link = opened(new DeviceLink(connecting, DEPTH));
        link.options = connecting.options.timeout(14, 7);
        link.connect(port);
    }

    private void failedRead()
    {
        link.read(1, 0, 100, 0, SOURCE);
        link.await(1, CompletionStatus.RETRY_EXC_ERR);
        assertEquals(QueuePairState.ERR, link.queuePair.state());
    }

    private static void assertReason(final DeviceLink failed, final String pattern)
    {
        final String reason = failed.queuePair.failureReason();
        assertNotNull(reason);
        assertTrue(reason.matches(pattern), reason);
    }
}
