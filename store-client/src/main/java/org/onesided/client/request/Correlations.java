package org.onesided.client.request;

import org.onesided.protocol.rpc.BatchLimits;

/**
 * What the owner of the writes in slots knows them by, put by put, and when they must end. A message holds one write,
 * or as a <em>batch</em> several puts, each with a correlation of its own. Not thread-safe.
 */
final class Correlations
{
    private static final long[] NONE = {};

    private final long[] firsts;
    private final long[] deadlinesNs;
    /** For each slot, how many puts its message has that further ones may join; 0 for other requests. */
    private final int[] puts;
    /** For each slot the correlations of its puts but the first; there once the first batch is asked for. */
    private long[] further = NONE;

    Correlations(final int slots)
    {
        firsts = new long[slots];
        deadlinesNs = new long[slots];
        puts = new int[slots];
    }

    /** The slot has another request. */
    void renew(final int slot)
    {
        puts[slot] = 0;
    }

    /** Sets correlation and deadline of a write. */
    void set(final int slot, final long correlation, final long deadlineNs)
    {
        firsts[slot] = correlation;
        deadlinesNs[slot] = deadlineNs;
    }

    /** Allocates what batches need, so that {@link #open} and {@link #join} do not. */
    void reserve()
    {
        if (further.length == 0)
        {
            further = new long[firsts.length * BatchLimits.MAX_PUTS];
        }
    }

    /** Lets other puts join the one that was staged in a slot. */
    void open(final int slot)
    {
        reserve();
        puts[slot] = 1;
    }

    /** Whether other puts may join the one in a slot. */
    boolean isOpen(final int slot)
    {
        return puts[slot] > 0;
    }

    /** A put has joined those of an open batch. */
    void join(final int slot, final long correlation)
    {
        further[slot * BatchLimits.MAX_PUTS + puts[slot]] = correlation;
        puts[slot]++;
    }

    /** Number of puts of a batch, at least 2; of another request 0 or 1. */
    int puts(final int slot)
    {
        return puts[slot];
    }

    /** Correlation of a write, or of the first put of a batch. */
    long of(final int slot)
    {
        return firsts[slot];
    }

    /** Correlation of one of the puts of a batch, from 0. */
    long of(final int slot, final int put)
    {
        return put == 0 ? firsts[slot] : further[slot * BatchLimits.MAX_PUTS + put];
    }

    /** When the write must end, a time of {@link System#nanoTime()}; the puts of a batch have the same deadline. */
    long deadlineNs(final int slot)
    {
        return deadlinesNs[slot];
    }
}
