package org.onesided.server.session;

import org.onesided.protocol.bootstrap.Tokens;

/**
 * Who a client is, and what it may do.
 *
 * @param name     of its identity.
 * @param isReader whether it may look up only.
 * @param owner    of the token that it has shown, or null if it has shown none.
 */
record ClientIdentity(String name, boolean isReader, Tokens.Owner owner)
{
    static ClientIdentity of(final Tokens.Owner owner, final String certificateSubject)
    {
        return new ClientIdentity(
            Credentials.identity(owner == null ? null : owner.name(), certificateSubject),
            Credentials.isReader(owner, certificateSubject),
            owner);
    }

    /** Whether it is the same client with the same rights, so that it may go on with a session. */
    boolean mayResume(final ClientIdentity other)
    {
        return name.equals(other.name) && isReader == other.isReader;
    }
}
