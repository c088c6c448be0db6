package org.onesided.protocol.bootstrap;

import java.nio.file.Path;

/**
 * Files, in PEM form, by which one side of the bootstrap shows who it is and knows the other. They are looked at again
 * for each connection, and read again when they have changed.
 *
 * @param certificate of this side, with those that lead to its authority behind it; null for none, which only a client
 *                    may do without.
 * @param key         of that certificate, as PKCS #8 without a password; null for none.
 * @param authorities whose certificates are trusted; null for those that Java trusts at a client, and for a server
 *                    that asks for no certificates.
 */
public record TlsOptions(Path certificate, Path key, Path authorities)
{
    /** A client without a certificate that trusts the authorities that Java trusts. */
    public static final TlsOptions DEFAULT = new TlsOptions(null, null, null);

    /**
     * Checks that certificate and key come together.
     *
     * @param certificate of this side, or null.
     * @param key         of that certificate, or null.
     * @param authorities whose certificates are trusted, or null.
     * @throws IllegalArgumentException if one is given without the other.
     */
    public TlsOptions
    {
        if (certificate != null && key == null)
        {
            throw new IllegalArgumentException(
                "the certificate's key is missing, give it, too (kvctl: --tls-key): certificate=" + certificate);
        }
        if (certificate == null && key != null)
        {
            throw new IllegalArgumentException(
                "the key's certificate is missing, give it, too (kvctl: --tls-certificate): key=" + key);
        }
    }

    /**
     * @param file    with the certificate of this side.
     * @param keyFile with its key.
     * @return the same with these.
     */
    public TlsOptions certificate(final Path file, final Path keyFile)
    {
        return new TlsOptions(file, keyFile, authorities);
    }

    /**
     * @param file with the certificates that are trusted.
     * @return the same with these.
     */
    public TlsOptions authorities(final Path file)
    {
        return new TlsOptions(certificate, key, file);
    }
}
