package org.onesided.protocol.bootstrap;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * One side's TLS 1.3 certificate and trusted authorities, read from files. Changed files apply from the next connection
 * on. While files are incomplete or unusable, the former ones apply. Thread-safe.
 */
public final class TlsCredentials
{
    /** Version of TLS, as Java names it. */
    public static final String PROTOCOL = "TLSv1.3";
    /**
     * A server's timeout of sessions, in seconds. Tickets of TLS 1.3 last for a week at most, so that none are given:
     * with one, a client would get in for a day after its certificate is over.
     */
    public static final int NO_TICKETS_S = (int)TimeUnit.DAYS.toSeconds(8);

    private final TlsOptions options;
    private final Consumer<String> onReloaded;
    private final Consumer<String> onKept;
    private final TlsCheck check;
    private final WatchedFiles files;
    private TlsMaterial material;
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
        this(options, TlsCheck.NONE, onReloaded, onKept);
    }

    /**
     * Reads the files, as above.
     *
     * @param options    that name them.
     * @param check      is asked each time that they were read.
     * @param onReloaded is called with one line about files that were read again and apply now.
     * @param onKept     is called with one line about changed files that are unusable.
     * @throws IOException              if they cannot be read; the message names the file.
     * @throws IllegalArgumentException if they hold what is no good; the message names the file.
     */
    public TlsCredentials(
        final TlsOptions options,
        final TlsCheck check,
        final Consumer<String> onReloaded,
        final Consumer<String> onKept) throws IOException
    {
        this.options = options;
        this.check = check;
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
            load();
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

    /**
     * For an implementation of TLS that is not this class's: the certificate of this side, which must be given.
     *
     * @return shows in each handshake what the files hold then.
     */
    public X509ExtendedKeyManager keyManager()
    {
        return new ReloadedKeys(this::material);
    }

    /**
     * For an implementation of TLS that is not this class's: the authorities, which must be given.
     *
     * @return trusts in each handshake what the files hold then.
     */
    public X509ExtendedTrustManager trustManager()
    {
        return new ReloadedTrust(this::material);
    }

    private synchronized SSLContext context()
    {
        reload();
        return context;
    }

    private synchronized TlsMaterial material()
    {
        reload();
        return material;
    }

    private void reload()
    {
        try
        {
            // Bad files stay bad until they change, and checking keys takes long.
            if (files.look() || isUnread)
            {
                isUnread = false;
                load();
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

    private void load() throws GeneralSecurityException
    {
        final TlsMaterial loaded = TlsMaterial.of(options, files, check);
        final SSLContext of = SSLContext.getInstance(PROTOCOL);
        of.init(loaded.keyManagers(), loaded.trustManagers(), null);
        of.getServerSessionContext().setSessionTimeout(NO_TICKETS_S);
        material = loaded;
        context = of;
    }
}
