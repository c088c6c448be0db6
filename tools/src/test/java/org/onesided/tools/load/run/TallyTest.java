package org.onesided.tools.load.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.onesided.tools.load.workload.OperationType;

class TallyTest
{
    private final Tally tally = new Tally(false);

    @Test
    void shouldAddWhatIsOfTheSameTime()
    {
        add(0, 1000, 10);
        add(1000, 1000, 10);
        // Another client, which was held up and told two seconds at once.
        add(0, 2000, 20);
        add(2000, 1000, 10);
        add(2000, 1000, 10);
        add(3000, 400, 4);
        add(3000, 395, 4);
        // What ended just when the last was told.
        add(3400, 0, 1);

        assertEquals(List.of("0+2000: 40", "2000+1000: 20", "3000+400: 9"), intervals());
    }

    @Test
    void shouldKeepWhatHasNoLength()
    {
        add(0, 0, 1);
        add(0, 0, 1);
        add(0, 3, 1);
        add(7, 0, 0);

        assertEquals(List.of("0+3: 3"), intervals());
    }

    private void add(final long startMs, final long lengthMs, final int reads)
    {
        final Interval interval = new Interval(startMs, lengthMs);
        for (int i = 0; i < reads; i++)
        {
            interval.part(OperationType.READ).service().recordValue(1000);
        }
        if (reads == 0)
        {
            interval.parts().clear();
        }
        tally.add(interval);
    }

    private List<String> intervals()
    {
        return tally.intervals().stream().map(interval ->
            interval.startMs() + "+" + interval.lengthMs() + ": " + interval.count(OperationType.READ)).toList();
    }
}
