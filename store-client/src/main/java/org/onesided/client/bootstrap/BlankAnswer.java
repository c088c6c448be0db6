package org.onesided.client.bootstrap;

/**
 * What a blank server says of itself.
 *
 * @param isPeerTls   whether it talks to other members within TLS only.
 * @param peerAddress host and port where other members will connect.
 */
public record BlankAnswer(boolean isPeerTls, String peerAddress)
{
}
