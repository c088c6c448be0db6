package org.onesided.client;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.onesided.client.exceptions.StoreAccessException;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.session.ClientConfiguration;
import org.onesided.client.types.ServerInfo;
import org.onesided.client.types.ServerLifeListener;
import org.onesided.client.types.Waiting;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.TlsCredentials;
import org.onesided.protocol.bootstrap.TlsOptions;
import org.onesided.verbs.Access;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.DeviceChoice;
import org.onesided.verbs.HugePages;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Configures a {@link StoreClient}; everything has a default. Not thread-safe.
 */
public final class StoreClientBuilder
{
    /** Default of {@link #server}. */
    public static final String DEFAULT_SERVER = "127.0.0.1:19875";
    /** Default of {@link #device}. */
    public static final String DEFAULT_DEVICE = DeviceChoice.AUTO;
    /** Default of {@link #connection}: the server READs values that are too long for a message. */
    public static final ConnectionOptions DEFAULT_CONNECTION = ConnectionOptions.defaults(Access.REMOTE_READ);
    /** Default of {@link #deadline}. */
    public static final Duration DEFAULT_DEADLINE = Duration.ofSeconds(5);
    /** Default of {@link #maxSessions}. */
    public static final int DEFAULT_MAX_SESSIONS = 8;
    /** Default of {@link #mirrorBytes}: enough for the index of ten million keys. */
    public static final long DEFAULT_MIRROR_BYTES = 256L << 20;

    private static final Logger LOGGER = LoggerFactory.getLogger(StoreClientBuilder.class);
    /** Longer is for ever, and sums of times must not overflow. */
    private static final long MAX_DEADLINE_NS = Long.MAX_VALUE / 4;

    private String server = DEFAULT_SERVER;
    private byte[] token = {};
    private TlsOptions tls;
    private String device = DEFAULT_DEVICE;
    private ConnectionOptions connection = DEFAULT_CONNECTION;
    private Duration deadline = DEFAULT_DEADLINE;
    private int maxSessions = DEFAULT_MAX_SESSIONS;
    private long mirrorBytes = DEFAULT_MIRROR_BYTES;
    private HugePages hugePages = HugePages.AUTO;
    private Waiting waiting = Waiting.DEFAULT;
    private ServerLifeListener lifeListener = (before, now) -> { };
    private Executor executor;

    StoreClientBuilder()
    {
    }

    /**
     * @param hostAndPort such as {@code store.example.org:19875}, {@code 127.0.0.1:19875} or {@code [::1]:19875}; the
     *                    port may be left out. Default {@value #DEFAULT_SERVER}.
     * @return this.
     */
    public StoreClientBuilder server(final String hostAndPort)
    {
        server = Objects.requireNonNull(hostAndPort, "server");
        return this;
    }

    /**
     * @param secret that the server asks for, at most 1024 bytes; copied. Empty, the default, for none.
     * @return this.
     */
    public StoreClientBuilder token(final byte[] secret)
    {
        if (secret.length > Bootstrap.MAX_TOKEN_LENGTH)
        {
            throw new IllegalArgumentException(
                "token is too long: length=" + secret.length + " longest=" + Bootstrap.MAX_TOKEN_LENGTH);
        }
        token = secret.clone();
        return this;
    }

    /**
     * @param files by which the server is known, and this client may show who it is; with {@link TlsOptions#DEFAULT}
     *              those are trusted whom Java trusts. Null, the default, to connect in the clear. The server's
     *              certificate must hold the host's name, or its address, as {@link #server} has it. What TLS protects
     *              is the way to the session: keys and values travel over the device, as it does.
     * @return this.
     */
    public StoreClientBuilder tls(final TlsOptions files)
    {
        tls = files;
        return this;
    }

    /**
     * @param name of the device, {@code kind}, {@code kind:argument}, several of them with commas between for the
     *             first that reaches the server and that the server has, too, or {@code auto}, the default, for the
     *             best of that sort. The client keeps the one that it began with; {@link ServerInfo#device} tells it.
     * @return this.
     */
    public StoreClientBuilder device(final String name)
    {
        device = Objects.requireNonNull(name, "device");
        return this;
    }

    /**
     * @param options port, GID, and the rest of how queue pairs are connected; what the server may access is the
     *                client's affair. Default {@link #DEFAULT_CONNECTION}.
     * @return this.
     */
    public StoreClientBuilder connection(final ConnectionOptions options)
    {
        connection = options.access(DEFAULT_CONNECTION.access());
        return this;
    }

    /**
     * @param duration how long one call may take, reconnecting included; positive. One that is too short to connect
     *                 within never gets a lost session back. Default 5 seconds.
     * @return this.
     */
    public StoreClientBuilder deadline(final Duration duration)
    {
        if (duration.isNegative() || duration.isZero())
        {
            throw new IllegalArgumentException("deadline must be positive: deadline=" + duration);
        }
        deadline = duration;
        return this;
    }

    /**
     * @param count sessions that are lent at a time at most, from 1; fewer where more would not be faster. A call
     *              beyond waits, or over {@code tcp} goes with others over one session more. Default 8.
     * @return this.
     */
    public StoreClientBuilder maxSessions(final int count)
    {
        if (count < 1)
        {
            throw new IllegalArgumentException("at least one session is needed: maxSessions=" + count);
        }
        maxSessions = count;
        return this;
    }

    /**
     * @param bytes of memory for copies of buckets, which spare lookups their first READ; shared by the client's
     *              sessions, outside of the Java heap, and taken as buckets come, so that no more than the table's
     *              index is ever used. 0 for none. Default 256 MiB.
     * @return this.
     */
    public StoreClientBuilder mirrorBytes(final long bytes)
    {
        if (bytes < 0)
        {
            throw new IllegalArgumentException("memory must not be negative: mirrorBytes=" + bytes);
        }
        mirrorBytes = bytes;
        return this;
    }

    /**
     * @param whether buffers are in huge pages; no memory smaller than such a page is, unless they are wanted always.
     *                Default {@link HugePages#AUTO}.
     * @return this.
     */
    public StoreClientBuilder hugePages(final HugePages whether)
    {
        hugePages = Objects.requireNonNull(whether, "hugePages");
        return this;
    }

    /**
     * @param way in which calling threads wait for completions. Default {@link Waiting#DEFAULT}.
     * @return this.
     */
    public StoreClientBuilder waiting(final Waiting way)
    {
        waiting = Objects.requireNonNull(way, "waiting");
        return this;
    }

    /**
     * @param listener told when a server that comes back is a new life of it.
     * @return this.
     */
    public StoreClientBuilder onServerLife(final ServerLifeListener listener)
    {
        lifeListener = Objects.requireNonNull(listener, "listener");
        return this;
    }

    /**
     * @param forCallbacks completes the futures of {@link StoreClient#async}, so that what depends on them may block.
     *                     A future that it refuses is completed by a thread of the client, and so is one that it has
     *                     not completed by the operation's deadline, or soon after the client's close. It is not shut
     *                     down. Null, the default, for the client's own thread.
     * @return this.
     */
    public StoreClientBuilder executor(final Executor forCallbacks)
    {
        executor = forCallbacks;
        return this;
    }

    /**
     * Makes the client and connects a first session.
     *
     * @return the client; the caller closes it.
     * @throws StoreConnectException    if no session can be had.
     * @throws StoreAccessException     if the server refuses token or certificate, or this client the server's.
     * @throws IllegalArgumentException if the server's address is none, the device's name says where to listen, or the
     *                                  files for TLS are no good, or cannot be read: its cause is an IOException then.
     */
    public StoreClient build()
    {
        return ClientOpener.open(new ClientConfiguration(
            server,
            token,
            credentials(),
            device,
            connection,
            Math.min(TimeUnit.NANOSECONDS.convert(deadline), MAX_DEADLINE_NS),
            maxSessions,
            mirrorBytes,
            hugePages,
            waiting,
            lifeListener,
            executor));
    }

    private TlsCredentials credentials()
    {
        if (tls == null)
        {
            return null;
        }
        try
        {
            return new TlsCredentials(
                tls,
                (what) -> LOGGER.info("TLS files have changed and hold for new connections: {}", what),
                (why) -> LOGGER.warn("TLS files have changed and are no good, those before hold on: cause={}", why));
        }
        catch (final IOException e)
        {
            throw new IllegalArgumentException("cannot read the files for TLS: " + e.getMessage(), e);
        }
        catch (final IllegalArgumentException e)
        {
            throw new IllegalArgumentException("cannot take the files for TLS: " + e.getMessage(), e);
        }
    }
}
