package org.onesided.server.table;

import org.onesided.protocol.table.RecordDescriptor;

/**
 * What a write makes of its key's time: a time in milliseconds since 1970 by the server's clock, or one of these.
 */
public final class Expiry
{
    /** The key stays for ever. */
    public static final long NEVER = RecordDescriptor.NEVER;
    /** The key keeps the time that it has; an absent one gets that of {@link #DEFAULT}. */
    public static final long KEEP = -1;
    /** The key gets the table's time to live, or stays for ever if there is none. */
    public static final long DEFAULT = -2;

    private Expiry()
    {
    }
}
