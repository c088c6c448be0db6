package org.onesided.client.bootstrap;

/**
 * How a session is known to its server, and what it takes to resume it.
 *
 * @param serverLife  of the server that knows it.
 * @param session     its number there.
 * @param secretHigh  first half of the secret that proves it.
 * @param secretLow   second half.
 */
public record SessionIdentity(long serverLife, long session, long secretHigh, long secretLow)
{
    /** No session to resume. */
    public static final SessionIdentity NONE = new SessionIdentity(0, 0, 0, 0);

    /** Without the secret. */
    @Override
    public String toString()
    {
        return "SessionIdentity[session=" + session + ']';
    }
}
