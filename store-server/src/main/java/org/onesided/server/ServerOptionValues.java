package org.onesided.server;

import org.jspecify.annotations.Nullable;
import org.onesided.protocol.bootstrap.TlsOptions;
import org.onesided.protocol.bootstrap.Tokens;
import org.onesided.server.data.DataOptions;
import org.onesided.server.eviction.Eviction;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Device;
import org.onesided.verbs.HugePages;

/**
 * The values of a server's options, for its parts to read. {@link ServerOptions} sets them. Not thread-safe.
 */
abstract class ServerOptionValues
{
    final SettingNumbers numbers = new SettingNumbers();
    String listenHost = ServerConfiguration.listenHost();
    HugePages hugePages = ServerConfiguration.hugePages();
    String device = ServerConfiguration.device();
    ConnectionOptions connection = ServerConfiguration.connection();
    Eviction evict = ServerConfiguration.evict();
    DataOptions data = ServerConfiguration.data();
    PeerOptions peers = new PeerOptions(ServerConfiguration.peerListen(), null, ServerConfiguration.zone());
    boolean measuresTimes;
    Device verbsDevice;
    Runnable onFailure = () -> {};
    Tokens tokens;
    TlsOptions tls;

    SettingNumbers numbers()
    {
        return numbers;
    }

    /**
     * @return host that is listened on.
     */
    public String listenHost()
    {
        return listenHost;
    }

    /**
     * @return port that is listened on, 0 for any free one.
     */
    public int listenPort()
    {
        return (int)numbers.get(ServerSetting.PORT);
    }

    /**
     * @return most memory of the table in bytes.
     */
    public long memory()
    {
        return numbers.get(ServerSetting.MEMORY);
    }

    /**
     * @return memory of the table in bytes that is there from the start.
     */
    public long memoryInitial()
    {
        return numbers.get(ServerSetting.MEMORY_INITIAL);
    }

    /**
     * @return how long memory stays after a heap has grown, in nanoseconds; 0 for ever.
     */
    public long memoryReleaseNs()
    {
        return numbers.get(ServerSetting.MEMORY_RELEASE);
    }

    /**
     * @return for how long a key stays whose put says nothing about it, in nanoseconds; 0 for ever.
     */
    public long defaultTtlNs()
    {
        return numbers.get(ServerSetting.DEFAULT_TTL);
    }

    /**
     * @return which records leave when the memory is full.
     */
    public Eviction evict()
    {
        return evict;
    }

    /**
     * @return whether the region is in huge pages.
     */
    public HugePages hugePages()
    {
        return hugePages;
    }

    /**
     * @return how many shards.
     */
    public int shards()
    {
        return (int)numbers.get(ServerSetting.SHARDS);
    }

    /**
     * @return name of the device, as given.
     */
    public String device()
    {
        return device;
    }

    /**
     * @return how queue pairs are connected.
     */
    public ConnectionOptions connection()
    {
        return connection;
    }

    /**
     * @return how long an idle shard spins before it sleeps, in nanoseconds; {@link Long#MAX_VALUE} for ever.
     */
    public long spinNs()
    {
        return numbers.get(ServerSetting.SPIN);
    }

    /**
     * @return sessions at a time.
     */
    public int maxSessions()
    {
        return (int)numbers.get(ServerSetting.MAX_SESSIONS);
    }

    /**
     * @return a session from which nothing came for so long is ended, in nanoseconds.
     */
    public long leaseNs()
    {
        return numbers.get(ServerSetting.LEASE);
    }

    /**
     * @return how long a handshake may take, in nanoseconds.
     */
    public long handshakeTimeoutNs()
    {
        return numbers.get(ServerSetting.HANDSHAKE_TIMEOUT);
    }

    /**
     * @return handshakes at a time.
     */
    public int maxHandshakes()
    {
        return (int)numbers.get(ServerSetting.MAX_HANDSHAKES);
    }

    /**
     * @return sessions at a time from one address, 0 for the default.
     */
    public int maxSessionsPerAddress()
    {
        return (int)numbers.get(ServerSetting.MAX_SESSIONS_PER_ADDRESS);
    }

    /**
     * @return sessions at a time of one identity, 0 for the default.
     */
    public int maxSessionsPerIdentity()
    {
        return (int)numbers.get(ServerSetting.MAX_SESSIONS_PER_IDENTITY);
    }

    /**
     * @return handshakes at a time from one address, 0 for the default.
     */
    public int maxHandshakesPerAddress()
    {
        return (int)numbers.get(ServerSetting.MAX_HANDSHAKES_PER_ADDRESS);
    }

    /**
     * @return requests that a session may have outstanding at a shard.
     */
    public int credits()
    {
        return (int)numbers.get(ServerSetting.CREDITS);
    }

    /**
     * @return length of the longest request or answer in bytes, a multiple of 64.
     */
    public int messageLength()
    {
        return (int)numbers.get(ServerSetting.MESSAGE_LENGTH);
    }

    /**
     * @return bytes of large values that a session may have under way at a shard.
     */
    public long pullLimit()
    {
        return numbers.get(ServerSetting.PULL_LIMIT);
    }

    /**
     * @return how long a put may wait for room in the heap, in nanoseconds.
     */
    public long roomWaitNs()
    {
        return numbers.get(ServerSetting.ROOM_WAIT);
    }

    /**
     * @return where the table is kept on disk, and how.
     */
    public DataOptions data()
    {
        return data;
    }

    /**
     * @return how other members of a cluster reach this one.
     */
    public PeerOptions peers()
    {
        return peers;
    }

    /**
     * @return whether each shard measures how long it takes over each request; not unless it was asked for.
     */
    public boolean measuresTimes()
    {
        return measuresTimes;
    }

    /**
     * @return device to use instead of finding one by its name, or null.
     */
    public @Nullable Device verbsDevice()
    {
        return verbsDevice;
    }

    /**
     * @return what is called when the server has failed.
     */
    public Runnable onFailure()
    {
        return onFailure;
    }

    /**
     * @return of what each client must show one, or null.
     */
    public @Nullable Tokens tokens()
    {
        return tokens;
    }

    /**
     * @return files for TLS on the bootstrap, or null.
     */
    public @Nullable TlsOptions tls()
    {
        return tls;
    }
}
