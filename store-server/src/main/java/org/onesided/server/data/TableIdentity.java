package org.onesided.server.data;

import java.security.SecureRandom;

/**
 * What stays of a table over restarts, beside its records.
 *
 * @param tableId    names the table.
 * @param serverLife names the time since writes may have been lost last: it stays over restarts that lost nothing.
 * @param hashSeed   of the keys' hashes.
 * @param checkSeed  of the records' check words.
 * @param sessionKey from which the secrets of sessions are computed.
 */
public record TableIdentity(long tableId, long serverLife, long hashSeed, long checkSeed, SessionKey sessionKey)
{
    /**
     * @return the identity of a new table.
     */
    public static TableIdentity draw()
    {
        final SecureRandom random = new SecureRandom();
        return new TableIdentity(drawId(), drawId(), random.nextLong(), random.nextLong(), SessionKey.draw());
    }

    /**
     * @param hashSeed  of the keys' hashes.
     * @param checkSeed of the records' check words.
     * @return the identity of a new table with the records of another one, and so with its seeds.
     */
    public static TableIdentity drawCopy(final long hashSeed, final long checkSeed)
    {
        return new TableIdentity(drawId(), drawId(), hashSeed, checkSeed, SessionKey.draw());
    }

    /**
     * @return the same table, of which writes may have been lost.
     */
    public TableIdentity withNewLife()
    {
        long life = drawId();
        while (life == serverLife)
        {
            life = drawId();
        }
        return new TableIdentity(tableId, life, hashSeed, checkSeed, sessionKey);
    }

    /** Not 0, which names nothing. */
    private static long drawId()
    {
        final SecureRandom random = new SecureRandom();
        long id = random.nextLong();
        while (id == 0)
        {
            id = random.nextLong();
        }
        return id;
    }
}
