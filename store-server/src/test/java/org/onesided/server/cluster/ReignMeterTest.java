package org.onesided.server.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ReignMeterTest
{
    private static final LeaseTime TIME = LeaseTime.of(1000);

    /** Soon greater than the greatest number: times are compared by their difference. */
    private long nowNs = Long.MAX_VALUE - 1500;
    private final ReignMeter meter = new ReignMeter(TIME, () -> nowNs);

    private String metrics()
    {
        final ReignMetrics metrics = meter.metrics();
        return metrics.stage() + " " + metrics.restNs() + " " + metrics.held();
    }

    @Test
    void shouldTellHowLongANewLeaderWaits()
    {
        assertEquals("FOLLOWS 0 0", metrics());
        meter.waits(TIME.waitNs());
        nowNs += 250;
        assertEquals("CATCHES_UP 1000 0", metrics());
        meter.stage(ReignStage.WAITS);
        nowNs += 999;
        assertEquals("WAITS 1 0", metrics());
        nowNs += 10;
        assertEquals("WAITS 0 0", metrics());
        meter.stage(ReignStage.SERVES);
        assertEquals("SERVES 0 0", metrics());
    }

    @Test
    void shouldCountLeasesThatMayBeHeldByWhomTheyWereGranted()
    {
        meter.stage(ReignStage.SERVES);
        meter.granted(7);
        nowNs += 600;
        meter.granted(8);
        meter.granted(8);
        assertEquals("SERVES 0 2", metrics());
        nowNs += TIME.waitNs() - 1;
        meter.granted(9);
        assertEquals("SERVES 0 2", metrics(), "that of 7 is over");
        nowNs += TIME.waitNs() - 1;
        assertEquals("SERVES 0 2", metrics(), "that of 8 is over, which the next grant finds");
        nowNs++;
        assertEquals("SERVES 0 0", metrics());
        assertEquals(4, meter.metrics().granted());
    }

    @Test
    void shouldTellHowLongALeaderThatHandsOverWaitsForItsLeases()
    {
        meter.stage(ReignStage.SERVES);
        meter.stage(ReignStage.HANDS_OVER);
        assertEquals("HANDS_OVER 0 0", metrics());
        meter.stage(ReignStage.SERVES);
        meter.granted(7);
        meter.stage(ReignStage.HANDS_OVER);
        nowNs += 250;
        assertEquals("HANDS_OVER 1000 1", metrics());
        meter.stage(ReignStage.FOLLOWS);
        assertEquals("FOLLOWS 0 0", metrics());
    }

    @Test
    void shouldCountProofsOverAllReigns()
    {
        meter.proved();
        meter.stage(ReignStage.FOLLOWS);
        meter.proved();
        assertEquals(2, meter.metrics().proofs());
    }
}
