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
public final class ServerOptions extends ServerOptionValues
{
    /** Lengths of requests and answers are multiples of this. */
    public static final int MESSAGE_ALIGNMENT = 64;

    /**
     * Starts with the system properties' values.
     */
    public ServerOptions()
    {
        // All values have them.
    }

    private ServerOptions set(final ServerSetting setting, final long value)
    {
        numbers.set(setting, value);
        return this;
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
     * @param value port that is listened on, 0 for any free one, see {@link ServerSetting#PORT}.
     * @return this.
     */
    public ServerOptions listenPort(final int value)
    {
        return set(ServerSetting.PORT, value);
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
     * @param value memory of the table in bytes that is there from the start, see
     *              {@link ServerSetting#MEMORY_INITIAL}; a server refuses more than {@link #memory()}.
     * @return this.
     */
    public ServerOptions memoryInitial(final long value)
    {
        return set(ServerSetting.MEMORY_INITIAL, value);
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
     * @param value for how long a key stays whose put says nothing about it, in nanoseconds, rounded up to
     *              milliseconds; 0 for ever.
     * @return this.
     */
    public ServerOptions defaultTtlNs(final long value)
    {
        return set(ServerSetting.DEFAULT_TTL, value);
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
     * @param value whether the region is in huge pages, see {@link ServerConfiguration#HUGE_PAGES_PROP_NAME}.
     * @return this.
     */
    public ServerOptions hugePages(final HugePages value)
    {
        hugePages = value;
        return this;
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
     * @param value how long an idle shard spins before it sleeps, in nanoseconds; {@link Long#MAX_VALUE} for ever.
     * @return this.
     */
    public ServerOptions spinNs(final long value)
    {
        return set(ServerSetting.SPIN, value);
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
     * @param value a session from which nothing came for so long is ended, in nanoseconds.
     * @return this.
     */
    public ServerOptions leaseNs(final long value)
    {
        return set(ServerSetting.LEASE, value);
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
     * @param value handshakes at a time.
     * @return this.
     */
    public ServerOptions maxHandshakes(final int value)
    {
        return set(ServerSetting.MAX_HANDSHAKES, value);
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
     * @param value sessions at a time of one identity, see
     *              {@link ServerSetting#MAX_SESSIONS_PER_IDENTITY}.
     * @return this.
     */
    public ServerOptions maxSessionsPerIdentity(final int value)
    {
        return set(ServerSetting.MAX_SESSIONS_PER_IDENTITY, value);
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
     * @param value requests that a session may have outstanding at a shard.
     * @return this.
     */
    public ServerOptions credits(final int value)
    {
        return set(ServerSetting.CREDITS, value);
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
     * @param value bytes of large values that a session may have under way at a shard.
     * @return this.
     */
    public ServerOptions pullLimit(final long value)
    {
        return set(ServerSetting.PULL_LIMIT, value);
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
     * @param value where the table is kept on disk, and how; {@link DataOptions#NONE} for a table in memory only.
     * @return this.
     */
    public ServerOptions data(final DataOptions value)
    {
        data = value;
        return this;
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
     * @param value whether each shard measures how long each request takes, at some 25 ns a request.
     * @return this.
     */
    public ServerOptions measuresTimes(final boolean value)
    {
        measuresTimes = value;
        return this;
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
     * @param value files for TLS 1.3 on the bootstrap, or null, the default, to have that in the clear. Certificate and
     *              key are needed; clients must show certificates if there are authorities to trust.
     * @return this.
     */
    public ServerOptions tls(final @Nullable TlsOptions value)
    {
        tls = value;
        return this;
    }
}
