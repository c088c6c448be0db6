package org.onesided.protocol.rpc;

import org.onesided.protocol.rpc.codec.ExpiryKind;

/**
 * Limits of the times that writes give their keys.
 */
public final class ExpiryLimits
{
    /** Longest time to live, in milliseconds: 100 years. */
    public static final long MAX_TTL_MS = 36_525L * 24 * 60 * 60 * 1000;
    /** Last time at which a key can expire, in milliseconds since 1970: no key that lives so long meets it. */
    public static final long MAX_TIME_MS = 10 * MAX_TTL_MS;

    private ExpiryLimits()
    {
    }

    /**
     * @param kind   as a message has it.
     * @param expiry that belongs to it.
     * @return whether a write may have them.
     */
    public static boolean areValid(final int kind, final long expiry)
    {
        return kind == ExpiryKind.AFTER.value() ? expiry > 0 && expiry <= MAX_TTL_MS :
            kind == ExpiryKind.AT.value() ? expiry > 0 && expiry <= MAX_TIME_MS :
            kind >= ExpiryKind.DEFAULT.value() && kind < ExpiryKind.AFTER.value();
    }
}
