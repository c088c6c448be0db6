package org.onesided.conformance;

import org.onesided.verbs.Access;
import org.onesided.verbs.ConnectionOptions;

/**
 * What a {@link Side} is made with; fluent, with defaults that suit most rules.
 */
final class Setup
{
    int sends = 16;
    int receives = 16;
    int elements = 4;
    int inline = 64;
    int completions = 64;
    long memory = 64 * 1024;
    int regionAccess = Access.LOCAL_WRITE | Access.REMOTE_ANY;
    boolean signalAll;
    boolean untrustedPeer;
    boolean sharedReceives;
    ConnectionOptions connection = ConnectionOptions.defaults(Access.REMOTE_ANY);

    Setup sends(final int value)
    {
        sends = value;
        return this;
    }

    Setup receives(final int value)
    {
        receives = value;
        return this;
    }

    Setup completions(final int value)
    {
        completions = value;
        return this;
    }

    Setup memory(final long value)
    {
        memory = value;
        return this;
    }

    Setup regionAccess(final int value)
    {
        regionAccess = value;
        return this;
    }

    Setup signalAll()
    {
        signalAll = true;
        return this;
    }

    Setup untrustedPeer()
    {
        untrustedPeer = true;
        return this;
    }

    Setup sharedReceives()
    {
        sharedReceives = true;
        return this;
    }

    Setup access(final int value)
    {
        connection = connection.access(value);
        return this;
    }

    Setup timeout(final int timeout, final int retryCount)
    {
        connection = connection.timeout(timeout, retryCount);
        return this;
    }

    Setup rnr(final int rnrRetry, final int minRnrTimer)
    {
        connection = connection.rnr(rnrRetry, minRnrTimer);
        return this;
    }
}
