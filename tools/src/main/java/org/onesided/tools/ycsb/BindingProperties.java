package org.onesided.tools.ycsb;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreClientBuilder;
import org.onesided.protocol.bootstrap.TlsOptions;
import org.onesided.protocol.bootstrap.Token;
import org.onesided.verbs.ConnectionOptions;
import site.ycsb.DBException;

/**
 * The properties of the binding, as {@code -p onesided.server=HOST:PORT} gives them to YCSB. docs/ycsb.md lists them.
 */
final class BindingProperties
{
    /** Host and port of the server; default {@value StoreClientBuilder#DEFAULT_SERVER}. */
    static final String SERVER = "onesided.server";
    /** File with the secret that the server asks for; default none. */
    static final String TOKEN_FILE = "onesided.token.file";
    /** Whether to connect within TLS, {@code true} or {@code false}; default whether one of the next is given. */
    static final String TLS = "onesided.tls";
    /** Certificates of the authorities that are trusted; default those that Java trusts. */
    static final String TLS_CA = "onesided.tls.ca";
    /** Certificate to show the server; default none. */
    static final String TLS_CERTIFICATE = "onesided.tls.certificate";
    /** Key of that certificate; default none. */
    static final String TLS_KEY = "onesided.tls.key";
    /** What carries the verbs, as {@code kvctl --device} has it; default {@value StoreClientBuilder#DEFAULT_DEVICE}. */
    static final String DEVICE = "onesided.device";
    /** How long one operation may take, in milliseconds; default 5000. */
    static final String DEADLINE_MS = "onesided.deadline.ms";
    /** The RDMA device's port, from 1; default the first that is active. */
    static final String RDMA_PORT = "onesided.rdma.port";
    /** Index of the port's GID, 0 to 255; default the best. */
    static final String GID_INDEX = "onesided.gid.index";
    /** Memory for copies of buckets, in bytes; default 256 MiB. */
    static final String MIRROR_BYTES = "onesided.mirror.bytes";

    private static final String PREFIX = "onesided.";
    private static final Set<String> NAMES =
        Set.of(SERVER, TOKEN_FILE, TLS, TLS_CA, TLS_CERTIFICATE, TLS_KEY, DEVICE, DEADLINE_MS, RDMA_PORT, GID_INDEX,
            MIRROR_BYTES);

    private final Properties properties;

    BindingProperties(final Properties properties)
    {
        this.properties = properties;
    }

    /**
     * @return a builder of a client that is as the properties say.
     * @throws DBException if there is no such property, or its value is none.
     */
    StoreClientBuilder clientBuilder() throws DBException
    {
        refuseUnknown();
        final StoreClientBuilder builder = StoreClient.builder();
        builder.server(properties.getProperty(SERVER, StoreClientBuilder.DEFAULT_SERVER));
        builder.device(properties.getProperty(DEVICE, StoreClientBuilder.DEFAULT_DEVICE));
        builder.deadline(Duration.ofMillis(
            number(DEADLINE_MS, StoreClientBuilder.DEFAULT_DEADLINE.toMillis(), 1, Duration.ofDays(1).toMillis())));
        builder.mirrorBytes(number(MIRROR_BYTES, StoreClientBuilder.DEFAULT_MIRROR_BYTES, 0, Long.MAX_VALUE));
        builder.connection(StoreClientBuilder.DEFAULT_CONNECTION
            .port((int)number(RDMA_PORT, ConnectionOptions.FIRST_ACTIVE_PORT, 1, 255))
            .gidIndex((int)number(GID_INDEX, ConnectionOptions.CHOSEN_GID, 0, 255)));
        final String tokenFile = properties.getProperty(TOKEN_FILE);
        if (tokenFile != null)
        {
            builder.token(token(tokenFile));
        }
        builder.tls(tls());
        return builder;
    }

    /** Null to connect in the clear. */
    private TlsOptions tls() throws DBException
    {
        final Path authorities = path(TLS_CA);
        final Path certificate = path(TLS_CERTIFICATE);
        final Path key = path(TLS_KEY);
        final boolean isNamed = authorities != null || certificate != null || key != null;
        final String wanted = properties.getProperty(TLS, String.valueOf(isNamed)).trim();
        if (!wanted.equals("true") && !(wanted.equals("false") && !isNamed))
        {
            throw new DBException("not true, nor false without files for TLS: " + TLS + "=" + wanted);
        }
        try
        {
            return wanted.equals("true") ? new TlsOptions(certificate, key, authorities) : null;
        }
        catch (final IllegalArgumentException e)
        {
            throw new DBException(e.getMessage(), e);
        }
    }

    private Path path(final String name)
    {
        final String text = properties.getProperty(name);
        return text == null ? null : Path.of(text);
    }

    /** A misspelled property would otherwise leave its default in force, unnoticed. */
    private void refuseUnknown() throws DBException
    {
        for (final String name : properties.stringPropertyNames())
        {
            if (name.startsWith(PREFIX) && !NAMES.contains(name))
            {
                throw new DBException("no such property: " + name + "; there are " + new TreeSet<>(NAMES));
            }
        }
    }

    private long number(final String name, final long byDefault, final long least, final long most) throws DBException
    {
        final String text = properties.getProperty(name);
        if (text == null)
        {
            return byDefault;
        }
        try
        {
            final long value = Long.parseLong(text.trim());
            if (value >= least && value <= most)
            {
                return value;
            }
        }
        catch (final NumberFormatException e)
        {
            // Said below.
        }
        throw new DBException("not a number from " + least + " to " + most + ": " + name + "=" + text);
    }

    private static byte[] token(final String file) throws DBException
    {
        try
        {
            return Token.load(Path.of(file)).bytes();
        }
        catch (final IOException | IllegalArgumentException e)
        {
            throw new DBException("cannot take the secret: " + TOKEN_FILE + "=" + file + ": " + e.getMessage(), e);
        }
    }
}
