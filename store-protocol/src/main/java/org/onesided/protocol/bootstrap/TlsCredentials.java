package org.onesided.protocol.bootstrap;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * One side's TLS 1.3 certificate and trusted authorities, read from files. Changed files apply from the next connection
 * on. While files are incomplete or unusable, the former ones apply. Thread-safe.
 */
public final class TlsCredentials
{
    private static final String PROTOCOL = "TLSv1.3";
    /**
     * Tickets of TLS 1.3 last for a week at most, so that none are given: with one, a client would get in for a day
     * after its certificate is over.
     */
    private static final int NO_TICKETS_S = (int)TimeUnit.DAYS.toSeconds(8);

    private final TlsOptions options;
    private final Consumer<String> onReloaded;
    private final Consumer<String> onKept;
    private final WatchedFiles files;
    private SSLContext context;
    /** Last reason why the files were unusable, so that it is reported once. */
    private String trouble = "";
    private boolean isUnread;

    /**
     * Reads the files.
     *
     * @param options    that name them.
     * @param onReloaded is called with one line about files that were read again and apply now.
     * @param onKept     is called with one line about changed files that are unusable.
     * @throws IOException              if they cannot be read; the message names the file.
     * @throws IllegalArgumentException if they hold what is no good; the message names the file.
     */
    public TlsCredentials(
        final TlsOptions options, final Consumer<String> onReloaded, final Consumer<String> onKept) throws IOException
    {
        this.options = options;
        this.onReloaded = onReloaded;
        this.onKept = onKept;
        final List<Path> named = new ArrayList<>();
        if (options.certificate() != null)
        {
            named.add(options.certificate());
            named.add(options.key());
        }
        if (options.authorities() != null)
        {
            named.add(options.authorities());
        }
        files = new WatchedFiles(named);
        try
        {
            files.look();
            context = load();
        }
        catch (final IOException e)
        {
            throw new IOException(WatchedFiles.reason(e), e);
        }
        catch (final GeneralSecurityException e)
        {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /**
     * @return whether peers must show a certificate that an authority named here has signed.
     */
    public boolean knowsPeers()
    {
        return options.authorities() != null;
    }

    /**
     * Makes the server's end of a connection.
     *
     * @param socket            that was accepted.
     * @param maxIncomingLength longest message to accept, in bytes.
     * @param executor          does what takes long of the handshake.
     * @param whenDone          called by that each time when there is more to be read or written.
     * @return the connection; it closes the socket.
     * @throws IOException if the socket is closed.
     */
    public MessageChannel accepted(
        final SocketChannel socket, final int maxIncomingLength, final Executor executor, final Runnable whenDone)
        throws IOException
    {
        final SSLEngine engine = context().createSSLEngine();
        engine.setUseClientMode(false);
        final SSLParameters parameters = parameters(engine);
        parameters.setNeedClientAuth(knowsPeers());
        engine.setSSLParameters(parameters);
        return new MessageChannel(new TlsStream(socket, engine, executor, whenDone), maxIncomingLength);
    }

    /**
     * Makes the client's end of a connection. The handshake takes place as messages are sent and received.
     *
     * @param socket            that is connected.
     * @param host              name or address that the server's certificate must hold.
     * @param port              of the server.
     * @param maxIncomingLength longest message to accept, in bytes.
     * @return the connection; it closes the socket.
     * @throws IOException if the socket is closed.
     */
    public MessageChannel connected(
        final SocketChannel socket, final String host, final int port, final int maxIncomingLength)
        throws IOException
    {
        final SSLEngine engine = context().createSSLEngine(host, port);
        engine.setUseClientMode(true);
        final SSLParameters parameters = parameters(engine);
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        engine.setSSLParameters(parameters);
        return new MessageChannel(new TlsStream(socket, engine, Runnable::run, () -> { }), maxIncomingLength);
    }

    private static SSLParameters parameters(final SSLEngine engine)
    {
        final SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(new String[]{PROTOCOL});
        return parameters;
    }

    private synchronized SSLContext context()
    {
        try
        {
            // Bad files stay bad until they change, and checking keys takes long.
            if (files.look() || isUnread)
            {
                isUnread = false;
                context = load();
                trouble = "";
                onReloaded.accept(description());
            }
        }
        catch (final IOException e)
        {
            isUnread = true;
            keep(WatchedFiles.reason(e));
        }
        catch (final GeneralSecurityException e)
        {
            keep(e.getMessage());
        }
        return context;
    }

    private void keep(final String reason)
    {
        if (!reason.equals(trouble))
        {
            trouble = reason;
            onKept.accept(reason);
        }
    }

    private String description()
    {
        return "certificate=" + options.certificate() + " authorities=" + options.authorities();
    }

    private SSLContext load() throws GeneralSecurityException
    {
        final SSLContext loaded = SSLContext.getInstance(PROTOCOL);
        final KeyManager[] keys = options.certificate() == null ? null : keys();
        final TrustManager[] trusted =
            options.authorities() == null ? null : trusted(options.certificate() == null ? 0 : 2);
        loaded.init(keys, trusted, null);
        loaded.getServerSessionContext().setSessionTimeout(NO_TICKETS_S);
        return loaded;
    }

    private KeyManager[] keys() throws GeneralSecurityException
    {
        final List<X509Certificate> chain = certificates(0, options.certificate());
        final PrivateKey key;
        try
        {
            key = Pem.key(files.content(1));
        }
        catch (final GeneralSecurityException e)
        {
            throw new GeneralSecurityException(text(e) + ": file=" + options.key(), e);
        }
        check(chain.get(0), key);
        final KeyStore store = emptyStore();
        store.setKeyEntry("own", key, new char[0], chain.toArray(new X509Certificate[0]));
        final KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, new char[0]);
        return factory.getKeyManagers();
    }

    private TrustManager[] trusted(final int index) throws GeneralSecurityException
    {
        final KeyStore store = emptyStore();
        int count = 0;
        for (final X509Certificate certificate : certificates(index, options.authorities()))
        {
            store.setCertificateEntry("authority-" + count++, certificate);
        }
        final TrustManagerFactory factory =
            TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    private List<X509Certificate> certificates(final int index, final Path file) throws GeneralSecurityException
    {
        try
        {
            return Pem.certificates(files.content(index));
        }
        catch (final GeneralSecurityException e)
        {
            throw new GeneralSecurityException(text(e) + ": file=" + file, e);
        }
    }

    /** Refuses an expired certificate, and a key of another certificate. */
    private void check(final X509Certificate certificate, final PrivateKey key) throws GeneralSecurityException
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
