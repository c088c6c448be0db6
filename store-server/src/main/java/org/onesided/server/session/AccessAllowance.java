package org.onesided.server.session;

import java.util.concurrent.TimeUnit;
import org.onesided.protocol.bootstrap.AccessWord;

/**
 * How many sampled lookups a session may still report: as many as a client sends in the same time, with a quarter to
 * spare. Not thread-safe.
 */
final class AccessAllowance
{
    private static final double PER_NS = 1.25 * AccessWord.MAX_RATE / TimeUnit.SECONDS.toNanos(1);
    private static final double MOST = 2 * AccessWord.MAX_COUNT;

    private double left = MOST;
    private long atNs;

    AccessAllowance(final long nowNs)
    {
        atNs = nowNs;
    }

    /** Takes up to so many; returns how many were left to take. */
    int take(final int count, final long nowNs)
    {
        left = Math.min(MOST, left + Math.max(0, nowNs - atNs) * PER_NS);
        atNs = nowNs;
        final int taken = (int)Math.min(count, left);
        left -= taken;
        return taken;
    }
}
