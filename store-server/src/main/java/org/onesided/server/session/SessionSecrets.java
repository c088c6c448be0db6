package org.onesided.server.session;

/**
 * Makes the secrets by which clients resume sessions, so that the server knows them again after a restart without
 * having stored them.
 */
@FunctionalInterface
public interface SessionSecrets
{
    /**
     * A secret that nobody can guess who does not have the server's key, and the same each time.
     *
     * @param session  its number.
     * @param identity of the owner.
     * @param scope    device and form of messages of all its connections.
     * @return two numbers.
     */
    long[] of(long session, String identity, String scope);
}
