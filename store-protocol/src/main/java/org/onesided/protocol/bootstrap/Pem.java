package org.onesided.protocol.bootstrap;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads certificates and keys in PEM form. Error messages never contain their content.
 */
final class Pem
{
    private static final Pattern BLOCK =
        Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");
    private static final String CERTIFICATE = "CERTIFICATE";
    private static final String KEY = "PRIVATE KEY";
    private static final List<String> KEY_ALGORITHMS = List.of("EC", "RSA", "EdDSA");

    private Pem()
    {
    }

    /** All certificates of a file, in their order; at least one. */
    static List<X509Certificate> certificates(final byte[] content) throws GeneralSecurityException
    {
        final CertificateFactory factory = CertificateFactory.getInstance("X.509");
        final List<X509Certificate> certificates = new ArrayList<>();
        final Matcher blocks = BLOCK.matcher(new String(content, US_ASCII));
        while (blocks.find())
        {
            if (blocks.group(1).equals(CERTIFICATE))
            {
                certificates.add(certificate(factory, decode(blocks.group(2))));
            }
        }
        if (certificates.isEmpty())
        {
            throw new CertificateException("holds no whole certificate in PEM form");
        }
        return certificates;
    }

    private static X509Certificate certificate(final CertificateFactory factory, final byte[] encoded)
        throws GeneralSecurityException
    {
        try
        {
            return (X509Certificate)factory.generateCertificate(new ByteArrayInputStream(encoded));
        }
        catch (final RuntimeException e)
        {
            // Not every malformed certificate causes the documented exception.
            throw new CertificateException("contains something other than a certificate: " + e, e);
        }
    }

    /** The first private key of a file. */
    static PrivateKey key(final byte[] content) throws GeneralSecurityException
    {
        final Matcher blocks = BLOCK.matcher(new String(content, US_ASCII));
        while (blocks.find())
        {
            if (blocks.group(1).equals(KEY))
            {
                return key(new PKCS8EncodedKeySpec(decode(blocks.group(2))));
            }
            if (blocks.group(1).endsWith(KEY))
            {
                throw new InvalidKeySpecException("holds a key in another form, write it anew with 'openssl pkcs8 " +
                    "-topk8 -nocrypt -in FILE': form=" + blocks.group(1));
            }
        }
        throw new InvalidKeySpecException("holds no whole private key in PEM form");
    }

    private static PrivateKey key(final PKCS8EncodedKeySpec encoded) throws GeneralSecurityException
    {
        for (final String algorithm : KEY_ALGORITHMS)
        {
            try
            {
                return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
            }
            catch (final InvalidKeySpecException | RuntimeException e)
            {
                // Another kind of key, or none.
            }
        }
        throw new InvalidKeySpecException("holds a private key of none of these sorts: " +
            String.join(", ", KEY_ALGORITHMS));
    }

    private static byte[] decode(final String text) throws GeneralSecurityException
    {
        try
        {
            return Base64.getMimeDecoder().decode(text);
        }
        catch (final IllegalArgumentException e)
        {
            throw new CertificateException("is not PEM: " + e.getMessage(), e);
        }
    }
}
