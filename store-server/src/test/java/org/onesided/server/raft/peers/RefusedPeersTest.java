package org.onesided.server.raft.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.server.CapturedLog;

class RefusedPeersTest
{
    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);
    private final RefusedPeers refused = new RefusedPeers(clock::get);
    private final CapturedLog log = new CapturedLog();

    @AfterEach
    void close()
    {
        log.close();
    }

    @Test
    void shouldTellOfEachHostAndReasonOnceAMinute()
    {
        refused.accepted("10.0.0.1:1000", "10.0.0.1", "no certificate");
        refused.accepted("10.0.0.1:1001", "10.0.0.1", "no certificate");
        refused.accepted("10.0.0.1:1002", "10.0.0.1", "another");
        refused.accepted("10.0.0.2:1000", "10.0.0.2", "no certificate");
        assertEquals(2, log.count("reason=no certificate"));
        assertEquals(1, log.count("peer=10.0.0.1:1002 omitted=1 reason=another"));
        clock.addAndGet(TimeUnit.SECONDS.toNanos(60));
        refused.accepted("10.0.0.1:1003", "10.0.0.1", "no certificate");
        assertEquals(3, log.count("reason=no certificate"));
    }

    @Test
    void shouldBoundItsLines()
    {
        for (int i = 0; i < 1000; i++)
        {
            refused.accepted("10.0.0.1:" + i, "10.0.0.1", "reason " + i);
        }
        assertEquals(RefusedPeers.MOST_LINES, log.count("no member's"));
        clock.addAndGet(TimeUnit.SECONDS.toNanos(60));
        refused.connected("10.0.0.1:1000", "expired\nforged line");
        assertEquals(1, log.count("another member is not trusted: peer=10.0.0.1:1000 omitted=980 reason=expired"));
        assertEquals(0, log.text().lines().filter((line) -> line.startsWith("forged")).count());
    }
}
