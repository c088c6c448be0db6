package org.onesided.server.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.onesided.protocol.bootstrap.Tokens;
import org.onesided.server.queue.SessionGeometry;

class AddressGroupTest
{
    private static final SessionLimits DEFAULTS =
        new SessionLimits(256, 0, 0, 64, 0, 1, 1, new SessionGeometry(1, 8192, 2, 1, 1, 1));

    @Test
    void shouldTakeANetworkOfIpv6ForOne() throws UnknownHostException
    {
        assertEquals(group("2001:db8:1:2::1"), group("2001:db8:1:2:ffff:1:2:3"));
        assertNotEquals(group("2001:db8:1:2::1"), group("2001:db8:1:3::1"));
        assertEquals("2001:db8:1:2:0:0:0:0/64", group("2001:db8:1:2::9").toString());
    }

    @Test
    void shouldTakeEachAddressOfIpv4ByItself() throws UnknownHostException
    {
        assertEquals(group("192.0.2.1"), group("192.0.2.1"));
        assertEquals(group("192.0.2.1"), group("::ffff:192.0.2.1"));
        assertNotEquals(group("192.0.2.1"), group("192.0.2.2"));
        assertEquals("192.0.2.1", group("192.0.2.1").toString());
    }

    @Test
    void shouldKnowThisMachine() throws UnknownHostException
    {
        assertTrue(group("127.0.0.2").isLocal());
        assertTrue(group("::1").isLocal());
        assertFalse(group("192.0.2.1").isLocal());
        assertFalse(group("::2").isLocal());
    }

    @Test
    void shouldLeaveRoomForOthersByDefault() throws UnknownHostException
    {
        assertEquals(192, DEFAULTS.sessionsFrom(group("192.0.2.1")));
        assertEquals(256, DEFAULTS.sessionsFrom(group("127.0.0.1")));
        assertEquals(32, DEFAULTS.handshakesFrom(group("192.0.2.1")));
        assertEquals(64, DEFAULTS.handshakesFrom(group("::1")));
        assertEquals(192, DEFAULTS.sessionsOf("reports"));
        assertEquals(256, DEFAULTS.sessionsOf(Tokens.ANONYMOUS));
        assertEquals(256, DEFAULTS.sessionsOf(Tokens.UNNAMED));
    }

    @Test
    void shouldTellWhoAClientIs()
    {
        assertEquals("anonymous", Credentials.identity(null, null));
        assertEquals("reports", Credentials.identity("reports", null));
        assertEquals("CN=a", Credentials.identity(null, "CN=a"));
        assertEquals("CN=a", Credentials.identity(Tokens.UNNAMED, "CN=a"));
        assertEquals("reports", Credentials.identity("reports", "CN=a"));
    }

    private static AddressGroup group(final String address) throws UnknownHostException
    {
        return AddressGroup.of(InetAddress.getByName(address));
    }
}
