package org.onesided.protocol.bootstrap;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.List;
import org.onesided.fuzz.FuzzTarget;

/**
 * A file with certificates, or a key, that may be half written.
 */
public final class PemTarget implements FuzzTarget
{
    /** Java's own decoders read them, and what those load. */
    private static final long MAX_ALLOCATED = 16 << 20;

    /**
     * For {@code ServiceLoader}.
     */
    public PemTarget()
    {
    }

    @Override
    public String name()
    {
        return "pem";
    }

    @Override
    public List<byte[]> seeds()
    {
        try
        {
            final TestAuthority.Signed signed = new TestAuthority("seeds").forLoopback();
            return List.of(signed.certificate().getBytes(US_ASCII), signed.key().getBytes(US_ASCII));
        }
        catch (final GeneralSecurityException | IOException e)
        {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public List<String> words()
    {
        return List.of("-----BEGIN CERTIFICATE-----\n", "-----END CERTIFICATE-----\n", "-----BEGIN PRIVATE KEY-----\n",
            "-----END PRIVATE KEY-----\n", "-----BEGIN EC PRIVATE KEY-----", "MII");
    }

    @Override
    public long maxAllocated(final int inputLength)
    {
        return MAX_ALLOCATED;
    }

    @Override
    public void feed(final byte[] input)
    {
        try
        {
            if (Pem.certificates(input).isEmpty())
            {
                throw new AssertionError("neither a certificate nor the reason why not");
            }
        }
        catch (final GeneralSecurityException e)
        {
            // As it is documented to.
        }
        try
        {
            Pem.key(input).getAlgorithm();
        }
        catch (final GeneralSecurityException e)
        {
            // As it is documented to.
        }
    }
}
