package org.onesided.server.data;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key that sessions' secrets are computed from: whoever knows a session's secret may resume it. A secret is the
 * start of the HMAC-SHA256 of the session's id, of its client's identity and of its device, so a restarted server knows
 * all of them again, and no log, snapshot or backup holds any. Thread-safe.
 */
public final class SessionKey
{
    /** Length of a key in bytes. */
    public static final int LENGTH = 32;

    private static final String ALGORITHM = "HmacSHA256";

    private final byte[] key;

    /**
     * @param key bytes of the key, {@link #LENGTH} of them.
     */
    public SessionKey(final byte[] key)
    {
        if (key.length != LENGTH)
        {
            throw new IllegalArgumentException("a session key must have " + LENGTH + " bytes: length=" + key.length);
        }
        this.key = key.clone();
    }

    /**
     * @return a key that nobody knows.
     */
    public static SessionKey draw()
    {
        final byte[] key = new byte[LENGTH];
        new SecureRandom().nextBytes(key);
        return new SessionKey(key);
    }

    /**
     * Computes the secret of a session.
     *
     * @param session  its id.
     * @param identity of its client; empty if it has none.
     * @param device   kind of its device.
     * @return 128 bits, the high ones first.
     */
    public long[] secret(final long session, final String identity, final String device)
    {
        final byte[] identityBytes = identity.getBytes(StandardCharsets.UTF_8);
        final byte[] deviceBytes = device.getBytes(StandardCharsets.UTF_8);
        // With its length, no identity runs into a device.
        final ByteBuffer message =
            ByteBuffer.allocate(Long.BYTES + Integer.BYTES + identityBytes.length + deviceBytes.length)
            .putLong(session).putInt(identityBytes.length).put(identityBytes).put(deviceBytes);
        try
        {
            final Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            final ByteBuffer code = ByteBuffer.wrap(mac.doFinal(message.array()));
            return new long[]{code.getLong(), code.getLong()};
        }
        catch (final GeneralSecurityException e)
        {
            throw new IllegalStateException("each JDK has " + ALGORITHM, e);
        }
    }

    /**
     * @return a copy of the key, for another member of the table's cluster.
     */
    public byte[] bytes()
    {
        return key.clone();
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof SessionKey that && Arrays.equals(key, that.key);
    }

    @Override
    public int hashCode()
    {
        return Arrays.hashCode(key);
    }

    /** Nothing of the key gets into a log. */
    @Override
    public String toString()
    {
        return "SessionKey";
    }
}
