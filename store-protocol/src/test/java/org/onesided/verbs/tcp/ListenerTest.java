package org.onesided.verbs.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class ListenerTest
{
    @Test
    void shouldTakeAllAddressesOfAnIpv6NetworkForOnePeer() throws UnknownHostException
    {
        assertEquals(origin("2001:db8:1:2::1"), origin("2001:db8:1:2:ffff:ffff:ffff:ffff"));
        assertNotEquals(origin("2001:db8:1:2::1"), origin("2001:db8:1:3::1"));
    }

    @Test
    void shouldTakeEachIpv4AddressForAPeer() throws UnknownHostException
    {
        assertEquals(origin("192.0.2.1"), origin("192.0.2.1"));
        assertEquals(origin("192.0.2.1"), origin("::ffff:192.0.2.1"));
        assertNotEquals(origin("192.0.2.1"), origin("192.0.2.2"));
    }

    private static Object origin(final String address) throws UnknownHostException
    {
        return Listener.origin(InetAddress.getByName(address));
    }
}
