package org.onesided.protocol.bootstrap;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * What the files for TLS held when they were read. Immutable.
 *
 * @param keys    of this side's certificate, which has a name of its own each time; null without a certificate.
 * @param trusted those of the authorities; null for those of Java.
 */
record TlsMaterial(X509ExtendedKeyManager keys, X509ExtendedTrustManager trusted)
{
    private static final AtomicLong COUNT = new AtomicLong();

    /**
     * Takes what was read.
     *
     * @param options that name the files.
     * @param files   in the order certificate, key, authorities, without those that are not named.
     * @param check   for the certificate.
     * @throws GeneralSecurityException if they hold what is no good; the message names the file.
     */
    static TlsMaterial of(final TlsOptions options, final WatchedFiles files, final TlsCheck check)
        throws GeneralSecurityException
    {
        final X509Certificate[] chain = options.certificate() == null ? null :
            certificates(files.content(0), options.certificate()).toArray(new X509Certificate[0]);
        final X509ExtendedKeyManager keys = chain == null ? null : keys(chain, files.content(1), options);
        final X509ExtendedTrustManager trusted = options.authorities() == null ? null :
            trusted(certificates(files.content(chain == null ? 0 : 2), options.authorities()));
        try
        {
            check.check(chain, trusted);
        }
        catch (final GeneralSecurityException e)
        {
            throw new GeneralSecurityException(text(e) + ": file=" + options.certificate(), e);
        }
        return new TlsMaterial(keys, trusted);
    }

    /** For an SSL context; null for none. */
    KeyManager[] keyManagers()
    {
        return keys == null ? null : new KeyManager[]{keys};
    }

    /** For an SSL context; null for Java's. */
    TrustManager[] trustManagers()
    {
        return trusted == null ? null : new TrustManager[]{trusted};
    }

    private static X509ExtendedKeyManager keys(
        final X509Certificate[] chain, final byte[] keyFile, final TlsOptions options) throws GeneralSecurityException
    {
        final PrivateKey key;
        try
        {
            key = Pem.key(keyFile);
        }
        catch (final GeneralSecurityException e)
        {
            throw new GeneralSecurityException(text(e) + ": file=" + options.key(), e);
        }
        check(chain[0], key, options);
        final KeyStore store = emptyStore();
        store.setKeyEntry("own-" + COUNT.incrementAndGet(), key, new char[0], chain);
        final KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, new char[0]);
        return (X509ExtendedKeyManager)factory.getKeyManagers()[0];
    }

    private static X509ExtendedTrustManager trusted(final List<X509Certificate> authorities)
        throws GeneralSecurityException
    {
        final KeyStore store = emptyStore();
        int count = 0;
        for (final X509Certificate certificate : authorities)
        {
            store.setCertificateEntry("authority-" + count++, certificate);
        }
        final TrustManagerFactory factory =
            TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return (X509ExtendedTrustManager)factory.getTrustManagers()[0];
    }

    private static List<X509Certificate> certificates(final byte[] content, final Path file)
        throws GeneralSecurityException
    {
        try
        {
            return Pem.certificates(content);
        }
        catch (final GeneralSecurityException e)
        {
            throw new GeneralSecurityException(text(e) + ": file=" + file, e);
        }
    }

    /** Refuses an expired certificate, and a key of another certificate. */
    private static void check(final X509Certificate certificate, final PrivateKey key, final TlsOptions options)
        throws GeneralSecurityException
    {
        try
        {
            certificate.checkValidity();
        }
        catch (final GeneralSecurityException e)
        {
            throw new GeneralSecurityException("certificate does not hold now: file=" + options.certificate() +
                " from=" + certificate.getNotBefore().toInstant() + " to=" + certificate.getNotAfter().toInstant(), e);
        }
        if (!isPair(certificate, key))
        {
            throw new InvalidKeyException("key and certificate do not belong together: certificate=" +
                options.certificate() + " key=" + options.key());
        }
    }

    private static boolean isPair(final X509Certificate certificate, final PrivateKey key)
        throws GeneralSecurityException
    {
        if (!certificate.getPublicKey().getAlgorithm().equals(key.getAlgorithm()))
        {
            return false;
        }
        final Signature signature = Signature.getInstance(switch (key.getAlgorithm())
        {
            case "EC" -> "SHA256withECDSA";
            case "RSA" -> "SHA256withRSA";
            default -> key.getAlgorithm();
        });
        final byte[] challenge = new byte[32];
        new SecureRandom().nextBytes(challenge);
        signature.initSign(key);
        signature.update(challenge);
        final byte[] signed = signature.sign();
        signature.initVerify(certificate.getPublicKey());
        signature.update(challenge);
        return signature.verify(signed);
    }

    private static KeyStore emptyStore() throws GeneralSecurityException
    {
        final KeyStore store = KeyStore.getInstance("PKCS12");
        try
        {
            store.load(null, null);
        }
        catch (final IOException e)
        {
            throw new IllegalStateException("nothing is read", e);
        }
        return store;
    }

    private static String text(final GeneralSecurityException e)
    {
        return OneLine.of(e.getMessage());
    }
}
