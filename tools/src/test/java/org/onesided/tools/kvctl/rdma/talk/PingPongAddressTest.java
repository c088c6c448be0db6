package org.onesided.tools.kvctl.rdma.talk;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.verbs.Gid;

class PingPongAddressTest
{
    private static final String TEXT = "0007:0001ab:ffffff:00000000000000000000ffff0a090001\0";

    @Test
    void shouldWriteWhatTheProgramReads()
    {
        final PingPongAddress address = new PingPongAddress(7, 0x1AB, 0xFFFFFF, new Gid(0, 0xFFFF_0A09_0001L));

        assertArrayEquals(TEXT.getBytes(US_ASCII), address.encode());
        assertEquals(PingPongAddress.LENGTH, address.encode().length);
    }

    @Test
    void shouldReadWhatTheProgramWrites()
    {
        final PingPongAddress address = PingPongAddress.decode(TEXT.getBytes(US_ASCII));

        assertEquals(new PingPongAddress(7, 0x1AB, 0xFFFFFF, new Gid(0, 0xFFFF_0A09_0001L)), address);
        assertEquals("LID 0x0007, QPN 0x0001ab, PSN 0xffffff, GID ::ffff:10.9.0.1",
            address.toString());
    }

    @Test
    void shouldTakeZerosForNoGid()
    {
        final PingPongAddress address = new PingPongAddress(7, 1, 2, null);

        assertEquals("0007:000001:000002:" + "0".repeat(32) + "\0", new String(address.encode(), US_ASCII));
        assertEquals(address, PingPongAddress.decode(address.encode()));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n\0\0\0\0\0",
        "0007:0001ab:ffffff:00000000000000000000ffff0a090001x",
        "0007:0001ab:ffffff:0000000000000000000zffff0a090001\0",
        "0007-0001ab:ffffff:00000000000000000000ffff0a090001\0",
        "+007:0001ab:ffffff:00000000000000000000ffff0a090001\0",
        "",
    })
    void shouldNotTakeOtherBytesForAnAddress(final String text)
    {
        assertNull(PingPongAddress.decode(text.getBytes(US_ASCII)));
    }
}
