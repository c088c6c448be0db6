package org.onesided.server.data;

/** x
 */
public record TableIdentity(long tableId, long serverLife, long hashSeed, long checkSeed, SessionKey sessionKey)
{
}
