package org.onesided.server;

import org.jspecify.annotations.Nullable;
import org.onesided.protocol.bootstrap.TlsOptions;
import org.onesided.protocol.bootstrap.Token;
import org.onesided.protocol.bootstrap.Tokens;
import org.onesided.server.data.DataOptions;
import org.onesided.server.eviction.Eviction;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Device;
import org.onesided.verbs.HugePages;

/**
 * Options of a server: set by the application, else by {@link ServerSetting} and {@link ServerConfiguration}. Not
 * thread-safe.
 */
public final class ServerOptions
{
    /** Lengths of requests and answers are multiples of this. */
    public static final int MESSAGE_ALIGNMENT = 64;

    private final SettingNumbers numbers = new SettingNumbers();
    private String listenHost = ServerConfiguration.listenHost();
    private HugePages hugePages = ServerConfiguration.hugePages();
    private String device = ServerConfiguration.device();
    private ConnectionOptions connection = ServerConfiguration.connection();
    private Eviction evict = ServerConfiguration.evict();
    private DataOptions data = ServerConfiguration.data();
    private PeerOptions peers = new PeerOptions(ServerConfiguration.peerListen(), null);
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
        // All fields have them.
    }

    private ServerOptions set(final ServerSetting setting, final long value)
    {
        numbers.set(setting, value);
        return this;
    }

    SettingNumbers numbers()
    {
        return numbers;
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
     * @param value port that is listened on, 0 for any free one, see {@link ServerSetting#PORT}.
     * @return this.
     */
    public ServerOptions listenPort(final int value)
    {
        return set(ServerSetting.PORT, value);
    }

    /**
     * @return port that is listened on, 0 for any free one.
     */
    public int listenPort()
    {
        return (int)numbers.get(ServerSetting.PORT);
    }

    /**
     * @param value most memory of the table in bytes, see {@link ServerSetting#MEMORY}.
     * @return this.
     */
    public ServerOptions memory(final long value)
    {
        return set(ServerSetting.MEMORY, value);
    }

    /**
     * @return most memory of the table in bytes.
     */
    public long memory()
    {
        return numbers.get(ServerSetting.MEMORY);
    }

    /**
     * @param value memory of the table in bytes that is there from the start, see
     *              {@link ServerSetting#MEMORY_INITIAL}; a server refuses more than {@link #memory()}.
     * @return this.
     */
    public ServerOptions memoryInitial(final long value)
    {
        return set(ServerSetting.MEMORY_INITIAL, value);
    }

    /**
     * @return memory of the table in bytes that is there from the start.
     */
    public long memoryInitial()
    {
        return numbers.get(ServerSetting.MEMORY_INITIAL);
    }

    /**
     * @param value how long memory stays after a heap has grown, in nanoseconds, see
     *              {@link ServerSetting#MEMORY_RELEASE}; 0 for ever.
     * @return this.
     */
    public ServerOptions memoryReleaseNs(final long value)
    {
        return set(ServerSetting.MEMORY_RELEASE, value);
    }

    /**
     * @return how long memory stays after a heap has grown, in nanoseconds; 0 for ever.
     */
    public long memoryReleaseNs()
    {
        return numbers.get(ServerSetting.MEMORY_RELEASE);
    }

    /**
     * @param value for how long a key stays whose put says nothing about it, in nanoseconds, rounded up to
     *              milliseconds; 0 for ever.
     * @return this.
     */
    public ServerOptions defaultTtlNs(final long value)
    {
        return set(ServerSetting.DEFAULT_TTL, value);
    }

    /**
     * @return for how long a key stays whose put says nothing about it, in nanoseconds; 0 for ever.
     */
    public long defaultTtlNs()
    {
        return numbers.get(ServerSetting.DEFAULT_TTL);
    }

    /**
     * @param value which records leave when the memory is full, see {@link ServerConfiguration#EVICT_PROP_NAME}.
     * @return this.
     */
    public ServerOptions evict(final Eviction value)
    {
        evict = value;
        return this;
    }

    /**
     * @return which records leave when the memory is full.
     */
    public Eviction evict()
    {
        return evict;
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
     * @param value how many shards, see {@link ServerSetting#SHARDS}.
     * @return this.
     */
    public ServerOptions shards(final int value)
    {
        return set(ServerSetting.SHARDS, value);
    }

    /**
     * @return how many shards.
     */
    public int shards()
    {
        return (int)numbers.get(ServerSetting.SHARDS);
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
        return set(ServerSetting.SPIN, value);
    }

    /**
     * @return how long an idle shard spins before it sleeps, in nanoseconds; {@link Long#MAX_VALUE} for ever.
     */
    public long spinNs()
    {
        return numbers.get(ServerSetting.SPIN);
    }

    /**
     * @param value sessions at a time.
     * @return this.
     */
    public ServerOptions maxSessions(final int value)
    {
        return set(ServerSetting.MAX_SESSIONS, value);
    }

    /**
     * @return sessions at a time.
     */
    public int maxSessions()
    {
        return (int)numbers.get(ServerSetting.MAX_SESSIONS);
    }

    /**
     * @param value a session from which nothing came for so long is ended, in nanoseconds.
     * @return this.
     */
    public ServerOptions leaseNs(final long value)
    {
        return set(ServerSetting.LEASE, value);
    }

    /**
     * @return a session from which nothing came for so long is ended, in nanoseconds.
     */
    public long leaseNs()
    {
        return numbers.get(ServerSetting.LEASE);
    }

    /**
     * @param value how long a handshake may take, in nanoseconds.
     * @return this.
     */
    public ServerOptions handshakeTimeoutNs(final long value)
    {
        return set(ServerSetting.HANDSHAKE_TIMEOUT, value);
    }

    /**
     * @return how long a handshake may take, in nanoseconds.
     */
    public long handshakeTimeoutNs()
    {
        return numbers.get(ServerSetting.HANDSHAKE_TIMEOUT);
    }

    /**
     * @param value handshakes at a time.
     * @return this.
     */
    public ServerOptions maxHandshakes(final int value)
    {
        return set(ServerSetting.MAX_HANDSHAKES, value);
    }

    /**
     * @return handshakes at a time.
     */
    public int maxHandshakes()
    {
        return (int)numbers.get(ServerSetting.MAX_HANDSHAKES);
    }

    /**
     * @param value sessions at a time from one address, see
     *              {@link ServerSetting#MAX_SESSIONS_PER_ADDRESS}.
     * @return this.
     */
    public ServerOptions maxSessionsPerAddress(final int value)
    {
        return set(ServerSetting.MAX_SESSIONS_PER_ADDRESS, value);
    }

    /**
     * @return sessions at a time from one address, 0 for the default.
     */
    public int maxSessionsPerAddress()
    {
        return (int)numbers.get(ServerSetting.MAX_SESSIONS_PER_ADDRESS);
    }

    /**
     * @param value sessions at a time of one identity, see
     *              {@link ServerSetting#MAX_SESSIONS_PER_IDENTITY}.
     * @return this.
     */
    public ServerOptions maxSessionsPerIdentity(final int value)
    {
        return set(ServerSetting.MAX_SESSIONS_PER_IDENTITY, value);
    }

    /**
     * @return sessions at a time of one identity, 0 for the default.
     */
    public int maxSessionsPerIdentity()
    {
        return (int)numbers.get(ServerSetting.MAX_SESSIONS_PER_IDENTITY);
    }

    /**
     * @param value handshakes at a time from one address, see
     *              {@link ServerSetting#MAX_HANDSHAKES_PER_ADDRESS}.
     * @return this.
     */
    public ServerOptions maxHandshakesPerAddress(final int value)
    {
        return set(ServerSetting.MAX_HANDSHAKES_PER_ADDRESS, value);
    }

    /**
     * @return handshakes at a time from one address, 0 for the default.
     */
    public int maxHandshakesPerAddress()
    {
        return (int)numbers.get(ServerSetting.MAX_HANDSHAKES_PER_ADDRESS);
    }

    /**
     * @param value requests that a session may have outstanding at a shard.
     * @return this.
     */
    public ServerOptions credits(final int value)
    {
        return set(ServerSetting.CREDITS, value);
    }

    /**
     * @return requests that a session may have outstanding at a shard.
     */
    public int credits()
    {
        return (int)numbers.get(ServerSetting.CREDITS);
    }

    /**
     * @param value length of the longest request or answer in bytes, a multiple of 64.
     * @return this.
     */
    public ServerOptions messageLength(final int value)
    {
        return set(ServerSetting.MESSAGE_LENGTH, value);
    }

    /**
     * @return length of the longest request or answer in bytes, a multiple of 64.
     */
    public int messageLength()
    {
        return (int)numbers.get(ServerSetting.MESSAGE_LENGTH);
    }

    /**
     * @param value bytes of large values that a session may have under way at a shard.
     * @return this.
     */
    public ServerOptions pullLimit(final long value)
    {
        return set(ServerSetting.PULL_LIMIT, value);
    }

    /**
     * @return bytes of large values that a session may have under way at a shard.
     */
    public long pullLimit()
    {
        return numbers.get(ServerSetting.PULL_LIMIT);
    }

    /**
     * @param value how long a put may wait for room in the heap, in nanoseconds; shorter than clients' deadlines.
     * @return this.
     */
    public ServerOptions roomWaitNs(final long value)
    {
        return set(ServerSetting.ROOM_WAIT, value);
    }

    /**
     * @return how long a put may wait for room in the heap, in nanoseconds.
     */
    public long roomWaitNs()
    {
        return numbers.get(ServerSetting.ROOM_WAIT);
    }

    /**
     * @param value where the table is kept on disk, and how; {@link DataOptions#NONE} for a table in memory only.
     * @return this.
     */
    public ServerOptions data(final DataOptions value)
    {
        data = value;
        return this;
    }

    /**
     * @return where the table is kept on disk, and how.
     */
    public DataOptions data()
    {
        return data;
    }

    /**
     * @param value how other members of a cluster reach this one; {@link PeerOptions#NONE} for a server that is alone.
     * @return this.
     */
    public ServerOptions peers(final PeerOptions value)
    {
        peers = value;
        return this;
    }

    /**
     * @return how other members of a cluster reach this one.
     */
    public PeerOptions peers()
    {
        return peers;
    }

    /**
     * @param value whether each shard measures how long each request takes, at some 25 ns a request.
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
     * @param value device to use instead of one that is found by its name.
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
    public @Nullable Device verbsDevice()
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
    public ServerOptions token(final @Nullable Token value)
    {
        return tokens(value == null ? null : Tokens.of(value));
    }

    /**
     * @param value of which each client must show one, or null for none; without credentials a server listens on
     *              loopback only.
     * @return this.
     */
    public ServerOptions tokens(final @Nullable Tokens value)
    {
        tokens = value;
        return this;
    }

    /**
     * @return of what each client must show one, or null.
     */
    public @Nullable Tokens tokens()
    {
        return tokens;
    }

    /**
     * @param value files for TLS 1.3 on the bootstrap, or null, the default, to have that in the clear. Certificate and
     *              key are needed; clients must show certificates if there are authorities to trust.
     * @return this.
     */
    public ServerOptions tls(final @Nullable TlsOptions value)
    {
        tls = value;
        return this;
    }

    /**
     * @return files for TLS on the bootstrap, or null.
     */
    public @Nullable TlsOptions tls()
    {
        return tls;
    }
}
