package org.onesided.protocol.rpc;

/**
 * Limits of appends. A shard copies the whole value for each append, in one step between other requests.
 */
public final class AppendLimits
{
    /** Most bytes that one append adds. */
    public static final int MAX_ADDED_LENGTH = 4096;
    /** Longest value that an append makes, in bytes. */
    public static final int MAX_VALUE_LENGTH = 64 << 10;

    private AppendLimits()
    {
    }
}
