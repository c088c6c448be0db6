package org.onesided.verbs.tcp;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counters of a context. Thread-safe.
 */
final class Counters
{
    private final Map<Fault, LongAdder> sent = zeros(Fault.class);
    private final Map<StartFault, LongAdder> refused = zeros(StartFault.class);
    private final LongAdder received = new LongAdder();
    private final LongAdder unanswered = new LongAdder();
    private final LongAdder noMemory = new LongAdder();

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

    void noMemory()
    {
        noMemory.increment();
    }

    void connectionRefused(final StartFault fault)
    {
        refused.get(fault).increment();
    }

    /**
     * @return all that are not zero, and the sums.
     */
    Map<String, Long> all()
    {
        final Map<String, Long> all = new TreeMap<>();
        sent.forEach((fault, count) -> all.put("terminates_sent_" + fault.counter(), count.sum()));
        refused.forEach((fault, count) -> all.put("connections_refused_" + fault.counter(), count.sum()));
        all.values().removeIf((count) -> count == 0);
        all.put("terminates_sent", sum(sent));
        all.put("terminates_received", received.sum());
        all.put("peers_silent", unanswered.sum());
        all.put("no_memory", noMemory.sum());
        all.put("connections_refused", sum(refused));
        return all;
    }

    /**
     * @return what connections ended for, which is what peers did wrong or want of memory here, and how often, those
     *         reasons included that did not occur.
     */
    Map<String, Long> faults()
    {
        final Map<String, Long> faults = new TreeMap<>();
        sent.forEach((fault, count) -> faults.put(fault.counter(), count.sum()));
        refused.forEach((fault, count) -> faults.put(fault.counter(), count.sum()));
        faults.put("terminate_received", received.sum());
        faults.put("peer_silent", unanswered.sum());
        faults.put("no_memory", noMemory.sum());
        return faults;
    }

    private static long sum(final Map<?, LongAdder> counts)
    {
        return counts.values().stream().mapToLong(LongAdder::sum).sum();
    }

    private static <E extends Enum<E>> Map<E, LongAdder> zeros(final Class<E> of)
    {
        final Map<E, LongAdder> zeros = new EnumMap<>(of);
        for (final E each : of.getEnumConstants())
        {
            zeros.put(each, new LongAdder());
        }
        return zeros;
    }
}
