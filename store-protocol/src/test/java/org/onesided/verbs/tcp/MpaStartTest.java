package org.onesided.verbs.tcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Gid;
import org.onesided.verbs.VerbsException;

class MpaStartTest
{
    private static final byte[] SECRET = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    @Test
    void shouldAskAsTheRfcsSay()
    {
        final ByteBuffer request = MpaStart.request(128, 64, 0x010203, 0x040506, SECRET);
        assertEquals(56, request.remaining());
        final byte[] bytes = request.array();
        assertEquals("MPA ID Req Frame", new String(bytes, 0, 16, StandardCharsets.US_ASCII));
        // No markers, CRC, enhanced; revision 2; 36 bytes; peer to peer, IRD 128; RDMA WRITE first, ORD 64; magic.
        assertEquals("50020024" + "8080" + "8040" + "31534b56" + "00010203" + "00040506" + "00000000",
            HexFormat.of().formatHex(bytes, 16, 40));
        assertArrayEquals(SECRET, java.util.Arrays.copyOfRange(bytes, 40, 56));
        assertTrue(MpaStart.isRequest(request));
        assertFalse(MpaStart.isAcceptance(request));
        final MpaStart start = MpaStart.wrap(bytes);
        assertTrue(start.isUnderstood());
        assertEquals(128, start.ird());
        assertEquals(64, start.ord());
        assertEquals(0x010203, start.responder());
        assertEquals(0x040506, start.initiator());
        assertTrue(start.hasSecret(SECRET));
        assertFalse(start.hasSecret(new byte[16]));
    }

    @Test
    void shouldAnswer()
    {
        final ByteBuffer reply = MpaStart.reply(1, 2, 3, 4, SECRET);
        assertTrue(MpaStart.isAcceptance(reply));
        assertFalse(MpaStart.isRequest(reply));
        assertFalse(MpaStart.isAcceptance(MpaStart.refusal()));
        assertFalse(MpaStart.isRequest(MpaStart.refusal()));
    }

    @Test
    void shouldRefuseWhatItDoesNotUnderstand()
    {
        final byte[] good = MpaStart.request(1, 1, 2, 3, SECRET).array();
        // Any byte of the key; markers; a reply's refusal; not enhanced; another revision; another length.
        for (int i = 0; i < 20; i++)
        {
            if (i != 16)
            {
                final byte[] bad = good.clone();
                bad[i] ^= 1;
                final ByteBuffer filled = ByteBuffer.wrap(bad).position(bad.length);
                assertEquals(i >= 16, MpaStart.mayBeRequest(filled), "byte=" + i);
                assertFalse(MpaStart.isRequest(filled), "byte=" + i);
            }
        }
        for (final int flags : new int[] {0x80, 0x20, 0x10})
        {
            final byte[] bad = good.clone();
            bad[16] ^= (byte)flags;
            assertFalse(MpaStart.isRequest(ByteBuffer.wrap(bad)), "flags=" + flags);
        }
        for (final int offset : new int[] {20, 22, 24, 27})
        {
            final byte[] bad = good.clone();
            bad[offset] ^= (byte)0x80;
            assertFalse(MpaStart.wrap(bad).isUnderstood(), "offset=" + offset);
        }
    }

    @Test
    void shouldTakeOnlyDeviceBytesOfItsKind()
    {
        for (final boolean untrusting : new boolean[] {false, true})
        {
            final byte[] encoded = new DeviceBytes(untrusting, SECRET).encode();
            assertEquals(18, encoded.length);
            assertArrayEquals(SECRET, DeviceBytes.decode(encoded).secret());
            assertEquals(untrusting, DeviceBytes.decode(encoded).untrusting());
        }
        for (final byte[] bytes : new byte[][] {{}, new byte[18], new byte[17], new byte[64]})
        {
            assertEquals(Errno.EINVAL, assertThrows(VerbsException.class, () -> DeviceBytes.decode(bytes)).errno());
        }
    }

    @Test
    void shouldConnectNowhereIfItListensAndDistrustsItsPeer()
    {
        final Gid gid = Gid.of(InetAddress.getLoopbackAddress());
        final DeviceBytes trusting = new DeviceBytes(false, SECRET);
        final DeviceBytes untrusting = new DeviceBytes(true, SECRET);
        for (final int port : new int[] {1, 65535})
        {
            assertTrue(new Peer(gid, port, 1, trusting).connectsTo(7000, 2, untrusting));
            assertFalse(new Peer(gid, port, 1, untrusting).connectsTo(7000, 2, trusting));
            final Peer both = new Peer(gid, port, 1, untrusting);
            assertThrows(VerbsException.class, () -> both.connectsTo(7000, 2, untrusting));
        }
        assertTrue(new Peer(gid, 0, 1, untrusting).connectsTo(7000, 2, untrusting));
        assertFalse(new Peer(gid, 1, 1, trusting).connectsTo(0, 2, untrusting));
    }

    @Test
    void shouldReadAddresses() throws Exception
    {
        assertEquals(new TcpAddress("eth0", 7000), TcpAddress.parse("eth0:7000"));
        assertEquals(new TcpAddress("::1", 0), TcpAddress.parse("[::1]:0"));
        assertEquals("tcp:[::1]:0", TcpAddress.parse("[::1]:0").toString());
        for (final String wrong : new String[] {"nonesuch", ":1", "a:", "a:b", "a:-1", "a:65536", "::1:0", "1.2.3.4"})
        {
            final VerbsException refused = assertThrows(VerbsException.class, () -> TcpAddress.parse(wrong), wrong);
            assertEquals(Errno.EINVAL, refused.errno());
            assertTrue(refused.getMessage().endsWith("device=tcp:" + wrong), refused.getMessage());
        }
        final InetAddress mapped = InetAddress.getByName("10.1.2.3");
        assertEquals(new Gid(0, 0xFFFF_0A01_0203L), TcpAddress.gid(mapped));
        assertEquals(mapped, TcpAddress.address(TcpAddress.gid(mapped)));
        final InetAddress sixth = InetAddress.getByName("2001:db8::7");
        assertEquals(new Gid(0x2001_0db8_0000_0000L, 7), TcpAddress.gid(sixth));
        assertEquals(sixth, TcpAddress.address(TcpAddress.gid(sixth)));
        final TcpAddress at = new TcpAddress("eth0", 7000);
        final InetAddress ofLink = InetAddress.getByName("fe80::7");
        assertEquals(sixth, at.best(List.of(ofLink, sixth)));
        assertEquals(mapped, at.best(List.of(ofLink, sixth, mapped)));
        final VerbsException none = assertThrows(VerbsException.class, () -> at.best(List.of(ofLink)));
        assertTrue(none.getMessage().endsWith("the interface has no address but for its own link, give it one or " +
            "name another: device=tcp:eth0:7000"), none.getMessage());
        assertTrue(TcpAddress.isUnspecified(TcpAddress.gid(InetAddress.getByName("0.0.0.0"))));
    }
}
