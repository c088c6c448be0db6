package org.onesided.iwarp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.QueuePairState;

/**
 * An independent peer that connects to the device, and does what it may.
 */
class InitiatingPeerTest extends IwarpTest
{
    private static final int SINK = 0x7000_0001;

    @Test
    void shouldAnswerReadsOfEveryLength() throws IOException
    {
        final IwarpPeer peer = initiate(link());
        for (final int length : new int[] {1, 2, 3, 4, 5, 64, 1000, 1459, 1460, 65_535, 65_536, 300_001, LENGTH})
        {
            checkRead(peer, LENGTH - length, length);
        }
        checkRead(peer, 17, 0);
    }

    @Test
    void shouldAnswerManyReadsAtATimeInTheirOrder() throws IOException
    {
        final IwarpPeer peer = initiate(link());
        for (int round = 0; round < 50; round++)
        {
            for (int i = 0; i < DEPTH; i++)
            {
                peer.read(readOf(round * 100 + i, 1000 * i + round));
            }
            for (int i = 0; i < DEPTH; i++)
            {
                final int offset = round * 100 + i;
                final int length = 1000 * i + round;
                assertArrayEquals(
                    DeviceEnd.pattern(offset, length), peer.response(readOf(offset, length)), "READ " + i);
            }
        }
    }

    @Test
    void shouldPlaceWritesAndMessages() throws IOException
    {
        final DeviceLink link = link();
        final IwarpPeer peer = initiate(link);
        link.receive(1, 200_000, 10_000);
        link.receive(2, 300_000, 100);
        link.receive(3, 310_000, 0);
        link.receive(4, 320_000, 5000);

        peer.write(end.region.remoteKey(), end.address(100_001), DeviceEnd.pattern(7, 5003));
        peer.message(DeviceEnd.pattern(11, 9999), false);
        peer.message(DeviceEnd.pattern(13, 100), true);
        peer.message(new byte[0], false);
        peer.write(end.region.remoteKey(), end.address(0), new byte[0]);
        peer.message(DeviceEnd.pattern(17, 1), false);

        assertEquals(9999, link.await(1).length());
        // The WRITE was sent before.
        assertArrayEquals(DeviceEnd.pattern(7, 5003), end.bytes(100_001, 5003));
        assertArrayEquals(DeviceEnd.pattern(11, 9999), end.bytes(200_000, 9999));
        assertEquals(100, link.await(2).length());
        assertArrayEquals(DeviceEnd.pattern(13, 100), end.bytes(300_000, 100));
        assertEquals(0, link.await(3).length());
        assertEquals(1, link.await(4).length());
        end.checkUntouched(0, 100_001);
        end.checkUntouched(105_004, 200_000);
        end.checkUntouched(209_999, 300_000);
        end.checkUntouched(300_100, 320_000);
        end.checkUntouched(320_001, LENGTH);
    }

    @Test
    void shouldKeepMessagesUntilThereAreReceives() throws IOException
    {
        final DeviceLink link = link();
        final IwarpPeer peer = initiate(link);
        for (int i = 0; i < 8; i++)
        {
            peer.message(DeviceEnd.pattern(i * 1000, 1000 + i), false);
        }
        // Its answer is behind the messages.
        checkRead(peer, 1, 1);
        for (int i = 0; i < 8; i++)
        {
            link.receive(i, i * 2000, 2000);
        }
        for (int i = 0; i < 8; i++)
        {
            assertEquals(1000 + i, link.await(i).length());
            assertArrayEquals(DeviceEnd.pattern(i * 1000, 1000 + i), end.bytes(i * 2000, 1000 + i));
        }
    }

    @Test
    void shouldTakeAStreamInPiecesOfAnyLength() throws IOException
    {
        final DeviceLink link = link();
        final IwarpPeer peer = initiate(link);
        final ByteArrayOutputStream stream = new ByteArrayOutputStream();
        for (int i = 1; i <= 40; i++)
        {
            link.receive(i, 100_000 + i * 300, 300);
            stream.write(Fpdu.encode(
                Segment.untagged(Segment.SEND, true, 0, i, 0, DeviceEnd.pattern(i, 250 + i % 4)).bytes()));
            stream.write(Fpdu.encode(Segment.tagged(
                Segment.WRITE, true, end.region.remoteKey(), end.address(i * 100L), DeviceEnd.pattern(3 * i, 99))
                .bytes()));
        }
        // What is in place before this arrives.
        link.receive(41, 100_000 + 41 * 300, 300);
        stream.write(Fpdu.encode(
            Segment.untagged(Segment.SEND, true, 0, 41, 0, DeviceEnd.pattern(41, 7)).bytes()));
        final byte[] bytes = stream.toByteArray();
        int piece = 1;
        for (int i = 0; i < bytes.length; i += piece)
        {
            piece = piece % 13 + 1;
            peer.send(Arrays.copyOfRange(bytes, i, Math.min(bytes.length, i + piece)));
        }
        for (int i = 1; i <= 40; i++)
        {
            assertEquals(250 + i % 4, link.await(i).length());
            assertArrayEquals(DeviceEnd.pattern(i, 250), end.bytes(100_000 + i * 300, 250));
        }
        assertEquals(7, link.await(41).length());
        for (int i = 1; i <= 40; i++)
        {
            assertArrayEquals(DeviceEnd.pattern(3 * i, 99), end.bytes(i * 100, 99));
        }
    }

    @Test
    void shouldTakeMessagesBetweenSegmentsOfAWrite() throws IOException
    {
        final DeviceLink link = link();
        final IwarpPeer peer = initiate(link);
        link.receive(1, 200_000, 100);
        final int stag = end.region.remoteKey();
        peer.send(Segment.tagged(Segment.WRITE, false, stag, end.address(0), new byte[10]));
        peer.message(new byte[50], false);
        peer.read(readOf(300_000, 77));
        peer.send(Segment.tagged(Segment.WRITE, true, stag, end.address(10), new byte[10]));

        assertEquals(50, link.await(1).length());
        assertArrayEquals(DeviceEnd.pattern(300_000, 77), peer.response(readOf(300_000, 77)));
        checkRead(peer, 20, 5);
        assertArrayEquals(new byte[20], end.bytes(0, 20));
    }

    @Test
    void shouldSendWriteAndReadOnceItMay() throws IOException
    {
        final DeviceLink link = link();
        link.connect(0);
        link.send(1, 0, 2500, false);
        link.send(2, 2500, 10, true);
        link.write(3, 5000, 3000, 0x1234_5678_9ABCL, SINK);
        link.read(4, 400_000, 2222, 0x77L, SINK + 1);
        final IwarpPeer peer = opened(IwarpPeer.connect(end.port()));
        link.checkAddressee(peer.request(link.request()), true);
        // RFC 6581, 9: the responder says nothing before it has the RTR frame.
        peer.socket().setSoTimeout(150);
        assertThrows(SocketTimeoutException.class, peer::next);
        peer.socket().setSoTimeout(20_000);
        peer.readyToReceive();

        assertArrayEquals(DeviceEnd.pattern(0, 2500), peer.message(1, Segment.SEND));
        assertArrayEquals(DeviceEnd.pattern(2500, 10), peer.message(2, Segment.SEND_SOLICITED));
        int written = 0;
        Segment segment;
        do
        {
            segment = peer.next();
            assertEquals(Segment.WRITE, segment.opcode(), segment.toString());
            assertEquals(SINK, segment.stag());
            assertEquals(0x1234_5678_9ABCL + written, segment.to());
            assertArrayEquals(DeviceEnd.pattern(5000 + written, segment.payload().length), segment.payload());
            written += segment.payload().length;
        }
        while (!segment.isLast());
        assertEquals(3000, written);
        final Segment asked = peer.next();
        assertEquals(1, asked.msn());
        final ReadRequest request = ReadRequest.of(asked);
        assertEquals(2222, request.size());
        assertEquals(SINK + 1, request.sourceStag());
        assertEquals(0x77, request.sourceTo());
        peer.respond(request, DeviceEnd.pattern(99, 2222));
        for (int i = 1; i <= 4; i++)
        {
            link.await(i);
        }
        assertArrayEquals(DeviceEnd.pattern(99, 2222), end.bytes(400_000, 2222));
    }

    @Test
    void shouldFailWhatIsUnderWayWhenThePeerGoesAway() throws IOException
    {
        final DeviceLink link = link();
        final IwarpPeer peer = initiate(link);
        link.receive(9, 0, 100);
        link.read(1, 400_000, 100, 0, SINK);
        link.read(2, 400_000, 100, 0, SINK);
        ReadRequest.of(peer.next());
        peer.close();
        link.awaitState(QueuePairState.ERR);
        link.await(1, CompletionStatus.RETRY_EXC_ERR);
        boolean isFlushed = false;
        for (int i = 0; i < 2; i++)
        {
            // Of two queues: in any order.
            isFlushed |= awaitFlush(link);
        }
        assertTrue(isFlushed);
        assertArrayEquals(DeviceEnd.pattern(400_000, 100), end.bytes(400_000, 100));
    }

    private static boolean awaitFlush(final DeviceLink link)
    {
        final DeviceLink.Done next = link.next();
        assertEquals(CompletionStatus.WR_FLUSH_ERR, next.status(), "id=" + next.id());
        return next.id() == 9;
    }

    @Test
    void shouldSpeakOverIpVersion6() throws IOException
    {
        try (DeviceEnd other = new DeviceEnd("tcp:[::1]:0", 4096); DeviceLink link = new DeviceLink(other, DEPTH))
        {
            link.connect(0);
            try (IwarpPeer peer = IwarpPeer.connect("::1", other.port()))
            {
                link.checkAddressee(peer.request(link.request()), true);
                peer.readyToReceive();
                final ReadRequest request =
                    new ReadRequest(1, 2, 4000, other.region.remoteKey(), other.address(96));
                peer.read(request);
                assertArrayEquals(DeviceEnd.pattern(96, 4000), peer.response(request));
            }
        }
    }
}
