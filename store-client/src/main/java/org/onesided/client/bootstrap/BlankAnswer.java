package org.onesided.client.bootstrap;

/**
 * What a blank server says of itself.
 *
 * @param isPeerTls   whether it talks to other members within TLS only.
 * @param peerAddress host and port where other members will connect.
 * @param zone        that it is in; empty for none.
 * @param prepared    id of the table that it was prepared for; 0 for none.
 */
public record BlankAnswer(boolean isPeerTls, String peerAddress, String zone, long prepared)
{
}
