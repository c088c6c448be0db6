package org.onesided.chaos;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * What a device has done so far, and who hears of each decision. Thread-safe.
 */
public final class Faults
{
    /** Of what kinds there are. */
    public enum Kind
    {
        /** READs fetched line by line, or word by word. */
        SPLIT,
        /** READs fetched twice. */
        REPLAY,
        /** Replayed READs that brought something of then and something of now, where these differ. */
        MIXED,
        /** Pauses before a line or word. */
        STALL,
        /** Requests that did not wait for READs before them. */
        OVERTAKE,
        /** Completions that came late. */
        LATE,
        /** Receives posted late. */
        RNR,
        /** Messages that arrived late. */
        SLOW,
        /** Lost queue pairs. */
        LOSE
    }

    private final Map<Kind, LongAdder> counts = new EnumMap<>(Kind.class);
    private volatile Consumer<String> listener;

    Faults()
    {
        for (final Kind kind : Kind.values())
        {
            counts.put(kind, new LongAdder());
        }
    }

    /**
     * @param kind of fault.
     * @return how often it happened.
     */
    public long count(final Kind kind)
    {
        return counts.get(kind).sum();
    }

    /**
     * @return how many faults there were, of all kinds; a mixed READ counts as a replayed one.
     */
    public long total()
    {
        return counts.values().stream().mapToLong(LongAdder::sum).sum() - count(Kind.MIXED);
    }

    /**
     * @param newListener hears of each decision, in one line and on any thread, when it is made; null for nobody.
     */
    public void listener(final Consumer<String> newListener)
    {
        listener = newListener;
    }

    /**
     * @return the number of each kind, in one line.
     */
    @Override
    public String toString()
    {
        return counts.toString();
    }

    void add(final Kind kind)
    {
        counts.get(kind).increment();
    }

    boolean isHeard()
    {
        return listener != null;
    }

    void tell(final String decision)
    {
        final Consumer<String> now = listener;
        if (now != null)
        {
            now.accept(decision);
        }
    }
}
