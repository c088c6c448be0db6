package org.onesided.client;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.onesided.client.exceptions.StoreAccessException;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.session.ClientConfiguration;
import org.onesided.client.session.Deadline;
import org.onesided.client.types.ClusterState;
import org.onesided.client.types.ServerLifeListener;
import org.onesided.client.types.Waiting;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.TlsOptions;
import org.onesided.verbs.Access;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.DeviceChoice;
import org.onesided.verbs.HugePages;

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
     * Sets the address of the server, or of members of a cluster. Default {@value #DEFAULT_SERVER}.
     *
     * @param hostAndPort such as {@code store.example.org:19875}, {@code 127.0.0.1:19875} or {@code [::1]:19875}; the
     *                    port may be left out. Of a cluster, one member that answers is enough, which names the
     *                    others; several, with commas between them, are asked one after another.
     * @return this.
     */
    public StoreClientBuilder server(final String hostAndPort)
    {
        server = Objects.requireNonNull(hostAndPort, "server");
        return this;
    }

    /**
     * Sets the server's token. Default none.
     *
     * @param secret that the server asks for, at most 1024 bytes; copied. Empty for none.
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
     * Sets the PEM files to connect within TLS. Default no TLS.
     *
     * <p>The server's certificate must contain the host name or address that {@link #server} names. TLS protects the
     * connection that begins sessions; keys and values travel over the device.
     *
     * @param files the authorities to trust, and the certificate and key of this client if the server asks for one;
     *              {@link TlsOptions#DEFAULT} trusts the authorities that Java trusts. Null for no TLS.
     * @return this.
     */
    public StoreClientBuilder tls(final TlsOptions files)
    {
        tls = files;
        return this;
    }

    /**
     * Sets the device or a list of devices; {@code server().device()} returns the one that the client chose and keeps.
     * Default {@value #DEFAULT_DEVICE}.
     *
     * @param name {@code kind} or {@code kind:argument}; several with commas between them for the first that reaches
     *             the server and that the server has, too; or {@code auto} for the best such device.
     * @return this.
     */
    public StoreClientBuilder device(final String name)
    {
        device = Objects.requireNonNull(name, "device");
        return this;
    }

    /**
     * Sets port, GID index, timeouts and retries of the queue pairs. Default first active port, best GID.
     *
     * @param options of each connection; the client itself decides what the server may access.
     * @return this.
     */
    public StoreClientBuilder connection(final ConnectionOptions options)
    {
        connection = options.access(DEFAULT_CONNECTION.access());
        return this;
    }

    /**
     * Sets the time limit of one operation, reconnecting included. Default {@link #DEFAULT_DEADLINE}.
     *
     * @param duration positive. A deadline that is too short for connecting never gets a lost session back.
     * @return this.
     */
    public StoreClientBuilder deadline(final Duration duration)
    {
        Deadline.checked(duration);
        deadline = duration;
        return this;
    }

    /**
     * Sets how many sessions are lent at a time, at most. Default {@value #DEFAULT_MAX_SESSIONS}.
     *
     * @param count from 1. The client opens fewer sessions if more would not be faster. An operation that finds all
     *              sessions lent waits, or over {@code tcp} shares one more session with others.
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
     * Sets the memory for copies of buckets, which save lookups their first READ. Default
     * {@link #DEFAULT_MIRROR_BYTES}.
     *
     * @param bytes outside the Java heap, shared by the client's sessions. The client uses no more of it than the
     *              table's index takes. 0 for none.
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
     * Sets whether buffers use huge pages. Default {@link HugePages#AUTO}.
     *
     * @param whether the pages are huge. Memory smaller than a huge page uses them only with {@link HugePages#ON}.
     * @return this.
     */
    public StoreClientBuilder hugePages(final HugePages whether)
    {
        hugePages = Objects.requireNonNull(whether, "hugePages");
        return this;
    }

    /**
     * Sets how threads wait for completions. Default {@link Waiting#DEFAULT}.
     *
     * @param way in which calling threads wait.
     * @return this.
     */
    public StoreClientBuilder waiting(final Waiting way)
    {
        waiting = Objects.requireNonNull(way, "waiting");
        return this;
    }

    /**
     * Sets the listener for restarts of the server. Default none.
     *
     * @param listener called when the server comes back as a new life.
     * @return this.
     */
    public StoreClientBuilder onServerLife(final ServerLifeListener listener)
    {
        lifeListener = Objects.requireNonNull(listener, "listener");
        return this;
    }

    /**
     * Sets the executor that completes futures. Default none.
     *
     * @param forCallbacks completes the futures of {@link StoreClient#async}, so that their dependent stages may
     *                     block. A thread of the client completes a future that the executor refuses, or has not
     *                     completed by the operation's deadline or soon after the client's close. The client does not
     *                     shut the executor down. Null for the client's own thread.
     * @return this.
     */
    public StoreClientBuilder executor(final Executor forCallbacks)
    {
        executor = forCallbacks;
        return this;
    }

    /**
     * Makes the client and connects a first session: to the server, or where that is a member of a cluster, to a member
     * that leads a partition. In a cluster, each partition has up to {@link #maxSessions} sessions, and its part of
     * {@link #mirrorBytes}.
     *
     * @return the client; the caller closes it.
     * @throws StoreConnectException    if no session can be had, or several servers are named and one is no member of
     *                                  a cluster.
     * @throws StoreAccessException     if the server refuses token or certificate, or this client the server's.
     * @throws IllegalArgumentException if the server's address is none, the device's name says where to listen, or the
     *                                  files for TLS are no good, or cannot be read: its cause is an IOException then.
     */
    public StoreClient build()
    {
        return ClientOpener.open(configuration());
    }

    /**
     * Connects to a server that has no table yet, to make it a member of a cluster. Of the settings, server, token, TLS
     * and deadline count.
     *
     * @return the connection, to be closed by the caller.
     * @throws IllegalArgumentException                      as {@link #build()}.
     * @throws org.onesided.client.exceptions.StoreException if the server is not blank, refuses, or does not answer in
     *                                                       time.
     */
    public BlankServer connectBlank()
    {
        return BlankServer.connect(configuration());
    }

    /**
     * Asks a member of a cluster what it knows of that. Of the settings, server, token, TLS and deadline count.
     *
     * @return the cluster as the member sees it; null if the server is alone.
     * @throws IllegalArgumentException                      as {@link #build()}.
     * @throws org.onesided.client.exceptions.StoreException if the server refuses, or does not answer in time.
     */
    public ClusterState clusterState()
    {
        return ClusterInquiry.ask(configuration());
    }

    /**
     * Asks a member of a cluster to let another one lead a partition, in order: no operation fails, unless its deadline
     * is shorter than the pause. Waits until it leads, 15 seconds or the deadline at most, whichever is longer. Of the
     * settings, server, token, TLS and deadline count.
     *
     * @param partition that the member leads, from 0.
     * @param member    number of the member that shall lead.
     * @return why the member does not do that, in one line; empty if the other one leads now, or the member itself was
     *         named.
     * @throws IllegalArgumentException                      as {@link #build()}.
     * @throws org.onesided.client.exceptions.StoreException if the server refuses this client, or does not answer in
     *                                                       time: the other one may lead all the same.
     */
    public Optional<String> transferPartition(final int partition, final long member)
    {
        return ClusterInquiry.transfer(configuration(), partition, member);
    }

    private ClientConfiguration configuration()
    {
        return new ClientConfiguration(
            server,
            token,
            tls == null ? null : ClientCredentials.of(tls),
            device,
            connection,
            Deadline.checked(deadline),
            maxSessions,
            mirrorBytes,
            hugePages,
            waiting,
            lifeListener,
            executor);
    }
}
