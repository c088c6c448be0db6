package org.onesided.tools.kvctl.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.onesided.tools.kvctl.console.Figures;

class RoundTripsTest
{
    @Test
    void shouldTellExtremesAsTheyWere()
    {
        final RoundTrips trips = new RoundTrips("READ");
        for (int i = 1; i <= 99; i++)
        {
            trips.record(1_000);
        }
        trips.record(2_345_678);
        trips.lose();

        assertEquals(100, trips.count());
        assertEquals(1, trips.lost());
        assertEquals("1.00 us", trips.least());
        assertEquals("1.00 us", trips.percentile(50));
        assertEquals("2.35 ms", trips.percentile(100));
        assertEquals("2.35 ms", trips.most());
        final Figures figures = new Figures();
        trips.addTo(figures);
        assertEquals("{\"read\":{\"count\":100,\"lost\":1,\"min_us\":1.000,\"p50_us\":1.000,\"p99_us\":1.000," +
            "\"max_us\":2345.678}}", figures.json());
    }

    @Test
    void shouldTellNoTimesWhereThereWasNoAnswer()
    {
        final RoundTrips trips = new RoundTrips("RPC");
        trips.lose();

        assertEquals("-", trips.least());
        assertEquals("-", trips.percentile(99));
        assertEquals("-", trips.most());
        final Figures figures = new Figures();
        trips.addTo(figures);
        assertEquals("rpc.count 0\nrpc.lost 1\n", figures.plain());
    }
}
