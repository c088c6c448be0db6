package org.onesided.tools.kvctl.rdma.talk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.tools.kvctl.rdma.machine.Gids;

class GidsTest
{
    @ParameterizedTest
    @CsvSource({
        "10.9.0.1, ::ffff:10.9.0.1",
        "255.0.0.254, ::ffff:255.0.0.254",
        "fd00:9::1, fd00:0009:0000:0000:0000:0000:0000:0001",
    })
    void shouldFollowFromAnAddress(final String address, final String gid) throws Exception
    {
        assertEquals(gid, Gids.text(Gids.ofAddress(InetAddress.getByName(address))));
    }
}
