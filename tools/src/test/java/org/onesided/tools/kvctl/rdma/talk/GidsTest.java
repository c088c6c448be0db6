package org.onesided.tools.kvctl.rdma.talk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GidsTest
{
    @ParameterizedTest
    @CsvSource({
        "10.9.0.1, 0000:0000:0000:0000:0000:ffff:0a09:0001",
        "255.0.0.254, 0000:0000:0000:0000:0000:ffff:ff00:00fe",
        "fd00:9::1, fd00:0009:0000:0000:0000:0000:0000:0001",
    })
    void shouldFollowFromAnAddress(final String address, final String gid) throws Exception
    {
        assertEquals(gid, Gids.text(Gids.ofAddress(InetAddress.getByName(address))));
    }
}
