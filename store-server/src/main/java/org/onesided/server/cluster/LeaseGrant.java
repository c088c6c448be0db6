package org.onesided.server.cluster;

/**
 * Tells a client that a server led when it asked, and that the client may believe the server's memory for the length of
 * a lease from the moment at which it asked.
 *
 * @param client    who asked.
 * @param requestId that the client gave its request.
 * @param life      of the server.
 * @param term      in which it leads.
 */
public record LeaseGrant(long client, long requestId, long life, long term)
{
}
