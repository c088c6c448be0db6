package org.onesided.iwarp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.onesided.testing.HangGuard;
import org.onesided.verbs.AsyncEvent;

/**
 * What becomes of connections that come to nothing: each is counted by its reason and told with its peer.
 */
class StartFaultTest extends IwarpTest
{
    @Test
    void shouldCountAndTellWhyNothingBecameOfAConnection() throws IOException
    {
        final DeviceLink link = link();
        link.connect(0);
        final byte[] good = link.request().bytes();

        expect("start_garbage", "the peer sent no MPA request", "GET / HTTP/1.1\r\nHost: x\r\n".getBytes());
        expect("start_garbage", "the peer sent no MPA request", "SSH-2.0-Go\r\n".getBytes());
        expect("start_unknown_request", "MPA request is none of a device tcp's", with(good, 17, 1));
        expect("start_unknown_request", "MPA request is none of a device tcp's", with(good, 24, 0));
        expect("start_queue_pair", "there is no such queue pair", with(good, 29, good[29] ^ 1));
        expect("start_secret", "secret is wrong", with(good, good.length - 1, good[good.length - 1] ^ 1));
        expect("start_unwanted", "queue pair does not wait for this peer", with(good, 35, good[35] ^ 1));

        final IwarpPeer half = IwarpPeer.connect(end.port());
        half.send(Arrays.copyOf(good, 10));
        half.close();
        await("start_broken_off", "peer broke off");

        // Nothing is told of those who only look whether somebody listens.
        IwarpPeer.connect(end.port()).close();
        awaitFault("start_left");
        assertEquals(null, end.context.awaitAsyncEvent(0));
        assertEquals(9, end.counter("connections_refused"));
        assertEquals(2, end.context.queryFaults().get("start_unknown_request"));
    }

    @Test
    void shouldTellOfThoseWhoAreTooMany() throws IOException
    {
        for (int i = 0; i < 257; i++)
        {
            opened(IwarpPeer.connect(end.port()));
        }
        await("start_crowded", "there are too many connections without a queue pair");
    }

    @Test
    void shouldCountFaultsOfConnectionsByReason() throws IOException
    {
        final Map<String, Long> expected = new HashMap<>(end.context.queryFaults());
        assertFalse(expected.isEmpty());
        expected.values().forEach((count) -> assertEquals(0, count));

        final IwarpPeer peer = initiate(link());
        peer.send(Fpdu.encode(Segment.untagged(
            Segment.SEND, true, Segment.SEND_QUEUE, 1, 0, new byte[10]).bytes(), 1));
        awaitFault("crc");
        expected.put("crc", 1L);
        assertEquals(expected, end.context.queryFaults());
    }

    private static byte[] with(final byte[] good, final int index, final int value)
    {
        final byte[] bytes = good.clone();
        bytes[index] = (byte)value;
        return bytes;
    }

    private void expect(final String reason, final String text, final byte[] sent) throws IOException
    {
        final IwarpPeer stranger = opened(IwarpPeer.connect(end.port()));
        stranger.send(sent);
        await(reason, text);
    }

    private void await(final String reason, final String text)
    {
        final AsyncEvent event = end.context.awaitAsyncEvent(HangGuard.nanos(20));
        assertNotNull(event, reason);
        assertEquals(AsyncEvent.Type.PEER_REFUSED, event.type());
        assertTrue(event.reason().matches(
            text + ": peer=127\\.0\\.0\\.1:[0-9]+ device=tcp:127\\.0\\.0\\.1:" + end.port()), event.reason());
        assertTrue(end.context.queryFaults().get(reason) > 0, () -> end.context.queryFaults().toString());
    }

    private void awaitFault(final String reason)
    {
        final long endNs = hangNs();
        while (end.context.queryFaults().get(reason) == 0)
        {
            assertTrue(System.nanoTime() - endNs < 0, () -> end.context.queryFaults().toString());
            Thread.onSpinWait();
        }
    }
}
