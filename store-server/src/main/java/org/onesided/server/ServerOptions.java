package org.onesided.server;

import static org.onesided.protocol.table.RecordDescriptor.MAX_KEY_LENGTH;

import java.util.concurrent.TimeUnit;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.TlsOptions;
import org.onesided.protocol.bootstrap.Token;
import org.onesided.protocol.bootstrap.Tokens;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Device;
import org.onesided.verbs.HugePages;

/**
 * What a server is started with: filled by the application, {@link ServerConfiguration} where it does not. Not
 * thread-safe.
 */
public final class ServerOptions
{
    /** Of requests and answers: lengths are multiples of it. */
    public static final int MESSAGE_ALIGNMENT = 64;
    /** Room for the longest key. */
    public static final int MIN_MESSAGE_LENGTH = MAX_KEY_LENGTH + 256;
    /** 1 MiB. */
    public static final int MAX_MESSAGE_LENGTH = 1 << 20;
    /** More than a client has any use for. */
    public static final int MAX_CREDITS = 1024;
    /** Of handshakes at a time, too. */
    public static final int MAX_SESSIONS = 1 << 16;
    /** 100 ms: clients are heard of several times in a lease. */
    public static final long MIN_LEASE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** A day, also for handshakes. */
    public static final long MAX_LEASE_NS = TimeUnit.DAYS.toNanos(1);
    private static final int MAX_PORT = 0xFFFF;
    /** One more stands for ever. */
    private static final int MAX_RNR_RETRY = 6;

    private String listenHost = ServerConfiguration.listenHost();
    private int listenPort = ServerConfiguration.listenPort();
    private long memory = ServerConfiguration.memory();
    private HugePages hugePages = ServerConfiguration.hugePages();
    private int recordLength = ServerConfiguration.recordLength();
    private int shards = ServerConfiguration.shards();
    private String device = ServerConfiguration.device();
    private ConnectionOptions connection = ServerConfiguration.connection();
    private long spinNs = ServerConfiguration.spinNs();
    private int maxSessions = ServerConfiguration.maxSessions();
    private long leaseNs = ServerConfiguration.leaseNs();
    private long handshakeTimeoutNs = ServerConfiguration.handshakeTimeoutNs();
    private int maxHandshakes = ServerConfiguration.maxHandshakes();
    private int maxSessionsPerAddress = ServerConfiguration.maxSessionsPerAddress();
    private int maxSessionsPerIdentity = ServerConfiguration.maxSessionsPerIdentity();
    private int maxHandshakesPerAddress = ServerConfiguration.maxHandshakesPerAddress();
    private int credits = ServerConfiguration.credits();
    private int messageLength = ServerConfiguration.messageLength();
    private long pullLimit = ServerConfiguration.pullLimit();
    private boolean measuresTimes;
    private Device verbsDevice;
    private Runnable onFailure = () -> {};
    private Tokens tokens;
    private TlsOptions tls;

    /**
     * Starts with the system properties' values.
     */
    public ServerOptions()
    {
    }

    /**
     * @param value host that is listened on, see {@link ServerConfiguration#LISTEN_HOST_PROP_NAME}.
     * @return this.
     */
    public ServerOptions listenHost(final String value)
    {
        listenHost = value;
        return this;
    }

    /**
     * @return host that is listened on.
     */
    public String listenHost()
    {
        return listenHost;
    }

    /**
     * @param value port that is listened on, 0 for any free one, see {@link ServerConfiguration#LISTEN_PORT_PROP_NAME}.
     * @return this.
     */
    public ServerOptions listenPort(final int value)
    {
        listenPort = value;
        return this;
    }

    /**
     * @return port that is listened on, 0 for any free one.
     */
    public int listenPort()
    {
        return listenPort;
    }

    /**
     * @param value length of the region in bytes, see {@link ServerConfiguration#MEMORY_PROP_NAME}.
     * @return this.
     */
    public ServerOptions memory(final long value)
    {
        memory = value;
        return this;
    }

    /**
     * @return length of the region in bytes.
     */
    public long memory()
    {
        return memory;
    }

    /**
     * @param value whether the region is in huge pages, see {@link ServerConfiguration#HUGE_PAGES_PROP_NAME}.
     * @return this.
     */
    public ServerOptions hugePages(final HugePages value)
    {
        hugePages = value;
        return this;
    }

    /**
     * @return whether the region is in huge pages.
     */
    public HugePages hugePages()
    {
        return hugePages;
    }

    /**
     * @param value expected length of a record in bytes, see {@link ServerConfiguration#RECORD_LENGTH_PROP_NAME}.
     * @return this.
     */
    public ServerOptions recordLength(final int value)
    {
        recordLength = value;
        return this;
    }

    /**
     * @return expected length of a record in bytes.
     */
    public int recordLength()
    {
        return recordLength;
    }

    /**
     * @param value how many shards, see {@link ServerConfiguration#SHARDS_PROP_NAME}.
     * @return this.
     */
    public ServerOptions shards(final int value)
    {
        shards = value;
        return this;
    }

    /**
     * @return how many shards.
     */
    public int shards()
    {
        return shards;
    }

    /**
     * @param value name of the device, {@code kind} or {@code kind:argument}; several with commas between, no two of
     *              a kind, to offer all of them; or {@code auto}, see {@link ServerConfiguration#DEVICE_PROP_NAME}.
     * @return this.
     */
    public ServerOptions device(final String value)
    {
        device = value;
        return this;
    }

    /**
     * @return name of the device, as given.
     */
    public String device()
    {
        return device;
    }

    /**
     * @param value how queue pairs are connected: port, GID and the rest, see
     *              {@link ServerConfiguration#RDMA_PORT_PROP_NAME} and those that follow it. What clients may access is
     *              the server's affair.
     * @return this.
     */
    public ServerOptions connection(final ConnectionOptions value)
    {
        connection = value.access(ServerConfiguration.CONNECTION_DEFAULT.access());
        return this;
    }

    /**
     * @return how queue pairs are connected.
     */
    public ConnectionOptions connection()
    {
        return connection;
    }

    /**
     * @param value how long an idle shard spins before it sleeps, in nanoseconds; {@link Long#MAX_VALUE} for ever.
     * @return this.
     */
    public ServerOptions spinNs(final long value)
    {
        spinNs = value;
        return this;
    }

    /**
     * @return how long an idle shard spins before it sleeps, in nanoseconds; {@link Long#MAX_VALUE} for ever.
     */
    public long spinNs()
    {
        return spinNs;
    }

    /**
     * @param value sessions at a time.
     * @return this.
     */
    public ServerOptions maxSessions(final int value)
    {
        maxSessions = value;
        return this;
    }

    /**
     * @return sessions at a time.
     */
    public int maxSessions()
    {
        return maxSessions;
    }

    /**
     * @param value a session from which nothing came for so long is ended, in nanoseconds.
     * @return this.
     */
    public ServerOptions leaseNs(final long value)
    {
        leaseNs = value;
        return this;
    }

    /**
     * @return a session from which nothing came for so long is ended, in nanoseconds.
     */
    public long leaseNs()
    {
        return leaseNs;
    }

    /**
     * @param value how long a handshake may take, in nanoseconds.
     * @return this.
     */
    public ServerOptions handshakeTimeoutNs(final long value)
    {
        handshakeTimeoutNs = value;
        return this;
    }

    /**
     * @return how long a handshake may take, in nanoseconds.
     */
    public long handshakeTimeoutNs()
    {
        return handshakeTimeoutNs;
    }

    /**
     * @param value handshakes at a time.
     * @return this.
     */
    public ServerOptions maxHandshakes(final int value)
    {
        maxHandshakes = value;
        return this;
    }

    /**
     * @return handshakes at a time.
     */
    public int maxHandshakes()
    {
        return maxHandshakes;
    }

    /**
     * @param value sessions at a time from one address, see
     *              {@link ServerConfiguration#MAX_SESSIONS_PER_ADDRESS_PROP_NAME}.
     * @return this.
     */
    public ServerOptions maxSessionsPerAddress(final int value)
    {
        maxSessionsPerAddress = value;
        return this;
    }

    /**
     * @return sessions at a time from one address, 0 for the default.
     */
    public int maxSessionsPerAddress()
    {
        return maxSessionsPerAddress;
    }

    /**
     * @param value sessions at a time of one identity, see
     *              {@link ServerConfiguration#MAX_SESSIONS_PER_IDENTITY_PROP_NAME}.
     * @return this.
     */
    public ServerOptions maxSessionsPerIdentity(final int value)
    {
        maxSessionsPerIdentity = value;
        return this;
    }

    /**
     * @return sessions at a time of one identity, 0 for the default.
     */
    public int maxSessionsPerIdentity()
    {
        return maxSessionsPerIdentity;
    }

    /**
     * @param value handshakes at a time from one address, see
     *              {@link ServerConfiguration#MAX_HANDSHAKES_PER_ADDRESS_PROP_NAME}.
     * @return this.
     */
    public ServerOptions maxHandshakesPerAddress(final int value)
    {
        maxHandshakesPerAddress = value;
        return this;
    }

    /**
     * @return handshakes at a time from one address, 0 for the default.
     */
    public int maxHandshakesPerAddress()
    {
        return maxHandshakesPerAddress;
    }

    /**
     * @param value requests that a session may have outstanding at a shard.
     * @return this.
     */
    public ServerOptions credits(final int value)
    {
        credits = value;
        return this;
    }

    /**
     * @return requests that a session may have outstanding at a shard.
     */
    public int credits()
    {
        return credits;
    }

    /**
     * @param value length of the longest request or answer in bytes, a multiple of 64.
     * @return this.
     */
    public ServerOptions messageLength(final int value)
    {
        messageLength = value;
        return this;
    }

    /**
     * @return length of the longest request or answer in bytes, a multiple of 64.
     */
    public int messageLength()
    {
        return messageLength;
    }

    /**
     * @param value bytes of large values that a session may have under way at a shard.
     * @return this.
     */
    public ServerOptions pullLimit(final long value)
    {
        pullLimit = value;
        return this;
    }

    /**
     * @return bytes of large values that a session may have under way at a shard.
     */
    public long pullLimit()
    {
        return pullLimit;
    }

    /**
     * @param value whether each shard measures how long it takes over each request, at some 25 ns a request; see
     *              {@link org.onesided.server.shard.ShardMetrics#times}.
     * @return this.
     */
    public ServerOptions measuresTimes(final boolean value)
    {
        measuresTimes = value;
        return this;
    }

    /**
     * @return whether each shard measures how long it takes over each request; not unless it was asked for.
     */
    public boolean measuresTimes()
    {
        return measuresTimes;
    }

    /**
     * @param value device to use instead of finding one by its name.
     * @return this.
     */
    public ServerOptions verbsDevice(final Device value)
    {
        verbsDevice = value;
        return this;
    }

    /**
     * @return device to use instead of finding one by its name, or null.
     */
    public Device verbsDevice()
    {
        return verbsDevice;
    }

    /**
     * @param value called once, on some thread of the server, when the server has failed and is about to close itself;
     *              it must not wait.
     * @return this.
     */
    public ServerOptions onFailure(final Runnable value)
    {
        onFailure = value;
        return this;
    }

    /**
     * @return what is called when the server has failed.
     */
    public Runnable onFailure()
    {
        return onFailure;
    }

    /**
     * @param value that all clients must show, or null for none; without credentials a server listens on loopback only.
     * @return this.
     */
    public ServerOptions token(final Token value)
    {
        return tokens(value == null ? null : Tokens.of(value));
    }

    /**
     * @param value of which each client must show one, or null for none; without credentials a server listens on
     *              loopback only.
     * @return this.
     */
    public ServerOptions tokens(final Tokens value)
    {
        tokens = value;
        return this;
    }

    /**
     * @return of what each client must show one, or null.
     */
    public Tokens tokens()
    {
        return tokens;
    }

    /**
     * @param value files for TLS 1.3 on the bootstrap, or null, the default, to have that in the clear. Certificate and
     *              key are needed; clients must show certificates if there are authorities to trust.
     * @return this.
     */
    public ServerOptions tls(final TlsOptions value)
    {
        tls = value;
        return this;
    }

    /**
     * @return files for TLS on the bootstrap, or null.
     */
    public TlsOptions tls()
    {
        return tls;
    }

    /**
     * @return whether clients must show something that only they have, so that strangers may reach this server.
     */
    public boolean asksForCredentials()
    {
        return tokens != null || tls != null && tls.authorities() != null;
    }

    /**
     * Sees that each value is in its range.
     *
     * @throws IllegalArgumentException naming the first that is not.
     */
    void check()
    {
        check("port", listenPort, 0, MAX_PORT);
        check("credits", credits, 1, MAX_CREDITS);
        check("messageLength", messageLength, MIN_MESSAGE_LENGTH, MAX_MESSAGE_LENGTH);
        check("maxSessions", maxSessions, 1, MAX_SESSIONS);
        check("maxHandshakes", maxHandshakes, 1, MAX_SESSIONS);
        check("maxSessionsPerAddress", maxSessionsPerAddress, 0, MAX_SESSIONS);
        check("maxSessionsPerIdentity", maxSessionsPerIdentity, 0, MAX_SESSIONS);
        check("maxHandshakesPerAddress", maxHandshakesPerAddress, 0, MAX_SESSIONS);
        check("leaseNs", leaseNs, MIN_LEASE_NS, MAX_LEASE_NS);
        check("handshakeTimeoutNs", handshakeTimeoutNs, 1, MAX_LEASE_NS);
        check("spinNs", spinNs, 0, Long.MAX_VALUE);
        check("pullLimit", pullLimit, 1, Long.MAX_VALUE);
        if (connection.rnrRetry() > MAX_RNR_RETRY)
        {
            throw new IllegalArgumentException("a server must not wait for ever for a client that has no receive " +
                "posted, take 0 to " + MAX_RNR_RETRY + ": rnrRetry=" + connection.rnrRetry());
        }
        if (tls != null && tls.certificate() == null)
        {
            throw new IllegalArgumentException("a server needs a certificate and its key for TLS, also to ask " +
                "clients for theirs, give them (kvctl: --tls-certificate and --tls-key): authorities=" +
                tls.authorities());
        }
        if (messageLength % MESSAGE_ALIGNMENT != 0)
        {
            throw new IllegalArgumentException("messageLength must be a multiple of " + MESSAGE_ALIGNMENT +
                ": messageLength=" + messageLength);
        }
        if ((long)shards * credits * messageLength > Bootstrap.MAX_REQUESTS_LENGTH)
        {
            throw new IllegalArgumentException("a client would refuse to hold so many requests, take fewer credits, " +
                "shorter messages or fewer shards: shards=" + shards + " credits=" + credits + " messageLength=" +
                messageLength + " most=" + Bootstrap.MAX_REQUESTS_LENGTH);
        }
    }

    private static void check(final String name, final long value, final long min, final long max)
    {
        if (value < min || value > max)
        {
            throw new IllegalArgumentException(
                name + " must be " + min + " to " + max + ": " + name + "=" + value);
        }
    }
}
