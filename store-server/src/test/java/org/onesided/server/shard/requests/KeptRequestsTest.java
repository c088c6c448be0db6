package org.onesided.server.shard.requests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.onesided.protocol.table.KeyHash;
import org.onesided.server.shard.execution.Request;

class KeptRequestsTest
{
    private final UnsafeBuffer message = new UnsafeBuffer(BufferUtil.allocateDirectAligned(64, Long.BYTES));
    private final Request decoded = new Request(new KeyHash(1));
    private final KeptRequests requests = new KeptRequests(4);

    @Test
    void shouldKeepARequestThoughTheNextOneIsDecoded()
    {
        decode(2, 10);
        final Request kept = requests.keep(decoded);
        decode(3, 20);
        assertNotSame(decoded, kept);
        assertSame(kept, requests.at(2));
        assertEquals(10, kept.arrivedNs());
        assertEquals(2, kept.receive());
    }

    @Test
    void shouldKeepARequestWhereItIs()
    {
        decode(2, 10);
        final Request kept = requests.keep(decoded);
        assertSame(kept, requests.keep(kept));
        assertEquals(10, kept.arrivedNs());
    }

    /** What a queue pair does all the time allocates nothing. */
    @Test
    void shouldReuseTheObjectOfAReceive()
    {
        decode(2, 10);
        final Request kept = requests.keep(decoded);
        decode(2, 30);
        assertSame(kept, requests.keep(decoded));
        assertEquals(30, requests.at(2).arrivedNs());
    }

    private void decode(final int receive, final long nowNs)
    {
        decoded.decode(receive, message.addressOffset(), 0, nowNs);
    }
}
