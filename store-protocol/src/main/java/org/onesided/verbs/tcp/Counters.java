package org.onesided.verbs.tcp;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a context counts. Thread-safe.
 */
final class Counters
{
    private final Map<Fault, LongAdder> sent = new EnumMap<>(Fault.class);
    private final LongAdder received = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder unanswered = new LongAdder();

    Counters()
    {
        for (final Fault fault : Fault.values())
        {
            sent.put(fault, new LongAdder());
        }
    }

    void terminated(final Fault fault)
    {
        sent.get(fault).increment();
    }

    void terminateReceived()
    {
        received.increment();
    }

    void unanswered()
    {
        unanswered.increment();
    }

    void connectionRefused()
    {
        refused.increment();
    }

    /**
     * @return all that are not zero, and the sums.
     */
    Map<String, Long> all()
    {
        final Map<String, Long> all = new TreeMap<>();
        long total = 0;
        for (final Map.Entry<Fault, LongAdder> entry : sent.entrySet())
        {
            final long count = entry.getValue().sum();
            total += count;
            if (count != 0)
            {
                all.put(entry.getKey().counter(), count);
            }
        }
        all.put("terminates_sent", total);
        all.put("terminates_received", received.sum());
        all.put("peers_silent", unanswered.sum());
        all.put("connections_refused", refused.sum());
        return all;
    }
}
