package org.onesided.server.data;

/** x */
public final class SessionKey
{
    /** @return x */
    public long[] secret(final long session, final String identity, final String device)
    {
        return new long[] { session * 31 + 7, (identity + device).hashCode() };
    }
}
