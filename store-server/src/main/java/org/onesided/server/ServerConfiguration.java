package org.onesided.server;

import static org.agrona.SystemUtil.getDurationInNanos;
import static org.agrona.SystemUtil.getSizeAsInt;
import static org.agrona.SystemUtil.getSizeAsLong;

import java.util.concurrent.TimeUnit;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.verbs.Access;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.DeviceChoice;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.PathChoice;

/**
 * System properties of the server: the name of each, its default, and its reader, side by side. {@link ServerOptions}
 * starts with what they say.
 */
public final class ServerConfiguration
{
    /** Host that is listened on. */
    public static final String LISTEN_HOST_PROP_NAME = "onesided.server.listen.host";
    /** Only this machine. */
    public static final String LISTEN_HOST_DEFAULT = "127.0.0.1";

    /** Port that is listened on. */
    public static final String LISTEN_PORT_PROP_NAME = "onesided.server.listen.port";
    /** The project's port. */
    public static final int LISTEN_PORT_DEFAULT = Bootstrap.DEFAULT_PORT;

    /** Length of the region, with k, m or g as suffix. */
    public static final String MEMORY_PROP_NAME = "onesided.server.memory";
    /** 256 MiB. */
    public static final long MEMORY_DEFAULT = 256L << 20;

    /** Whether the region is in huge pages: off, auto or on. */
    public static final String HUGE_PAGES_PROP_NAME = "onesided.server.huge.pages";
    /** Where the machine has some. */
    public static final HugePages HUGE_PAGES_DEFAULT = HugePages.AUTO;

    /** Expected length of a record, header and key included, in bytes: divides the region into index and heap. */
    public static final String RECORD_LENGTH_PROP_NAME = "onesided.server.record.length";
    /** The header, and 128 bytes of key and value. */
    public static final int RECORD_LENGTH_DEFAULT = 152;

    /** How many shards. */
    public static final String SHARDS_PROP_NAME = "onesided.server.shards";
    private static final int CORES_PER_SHARD = 4;

    /** Name of the device, or of several with commas between. */
    public static final String DEVICE_PROP_NAME = "onesided.server.device";
    /** The best there is. */
    public static final String DEVICE_DEFAULT = DeviceChoice.AUTO;

    /** Port of the device, from 1; 0 for the first that is active. */
    public static final String RDMA_PORT_PROP_NAME = "onesided.server.rdma.port";
    /** Index of the port's GID; {@value ConnectionOptions#CHOSEN_GID} for the best, see {@link PathChoice}. */
    public static final String GID_INDEX_PROP_NAME = "onesided.server.gid.index";
    /** Service level, 0 to 15. */
    public static final String SERVICE_LEVEL_PROP_NAME = "onesided.server.service.level";
    /** Traffic class, 0 to 255. */
    public static final String TRAFFIC_CLASS_PROP_NAME = "onesided.server.traffic.class";
    /** Acknowledgement timeout as a code, 0 to 31. */
    public static final String RDMA_TIMEOUT_PROP_NAME = "onesided.server.rdma.timeout";
    /** Retries after timeouts, 0 to 7. */
    public static final String RDMA_RETRIES_PROP_NAME = "onesided.server.rdma.retries";
    /** Retries while a client has no receive posted, 0 to 6: a server waits for no client for ever. */
    public static final String RNR_RETRIES_PROP_NAME = "onesided.server.rnr.retries";
    /** How long clients wait while no receive is posted here, as a code, 0 to 31. */
    public static final String MIN_RNR_TIMER_PROP_NAME = "onesided.server.min.rnr.timer";
    /** {@link ConnectionOptions#defaults}, clients being let to READ. */
    public static final ConnectionOptions CONNECTION_DEFAULT = ConnectionOptions.defaults(Access.REMOTE_READ);

    /** How long an idle shard spins before it sleeps. */
    public static final String SPIN_PROP_NAME = "onesided.server.spin";
    /** 50 µs. */
    public static final long SPIN_DEFAULT_NS = TimeUnit.MICROSECONDS.toNanos(50);

    /** Sessions at a time. */
    public static final String MAX_SESSIONS_PROP_NAME = "onesided.server.max.sessions";
    /** 256. */
    public static final int MAX_SESSIONS_DEFAULT = 256;

    /** A session from which nothing came for so long is ended. */
    public static final String LEASE_PROP_NAME = "onesided.server.lease";
    /** 30 s. */
    public static final long LEASE_DEFAULT_NS = TimeUnit.SECONDS.toNanos(30);

    /** How long a handshake may take. */
    public static final String HANDSHAKE_TIMEOUT_PROP_NAME = "onesided.server.handshake.timeout";
    /** 5 s. */
    public static final long HANDSHAKE_TIMEOUT_DEFAULT_NS = TimeUnit.SECONDS.toNanos(5);

    /** Handshakes at a time. */
    public static final String MAX_HANDSHAKES_PROP_NAME = "onesided.server.max.handshakes";
    /** 64. */
    public static final int MAX_HANDSHAKES_DEFAULT = 64;

    /** Sessions at a time from one address, or one /64 of IPv6. */
    public static final String MAX_SESSIONS_PER_ADDRESS_PROP_NAME = "onesided.server.max.sessions.per.address";
    /** Sessions at a time of one identity, the name of a token or the subject of a certificate. */
    public static final String MAX_SESSIONS_PER_IDENTITY_PROP_NAME = "onesided.server.max.sessions.per.identity";
    /** Handshakes at a time from one address, or one /64 of IPv6. */
    public static final String MAX_HANDSHAKES_PER_ADDRESS_PROP_NAME = "onesided.server.max.handshakes.per.address";
    /**
     * Three quarters of all sessions from one address, but all from loopback; three quarters of one identity, but all
     * where everybody has the same; half of all handshakes from one address, but all from loopback.
     */
    public static final int PER_PEER_DEFAULT = 0;

    /** Requests that a session may have outstanding at a shard. */
    public static final String CREDITS_PROP_NAME = "onesided.server.credits";
    /** 16. */
    public static final int CREDITS_DEFAULT = 16;

    /** Length of the longest request or answer. */
    public static final String MESSAGE_LENGTH_PROP_NAME = "onesided.server.message.length";
    /** 8 KiB: room for the longest key and a value of nearly 4 KiB; longer values are pulled. */
    public static final int MESSAGE_LENGTH_DEFAULT = 8 << 10;

    /** Bytes of large values that a session may have under way at a shard. */
    public static final String PULL_LIMIT_PROP_NAME = "onesided.server.pull.limit";
    /** 64 MiB, one value of the longest. */
    public static final long PULL_LIMIT_DEFAULT = 64L << 20;

    private ServerConfiguration()
    {
    }

    /**
     * @return {@link #LISTEN_HOST_PROP_NAME}.
     */
    public static String listenHost()
    {
        return System.getProperty(LISTEN_HOST_PROP_NAME, LISTEN_HOST_DEFAULT);
    }

    /**
     * @return {@link #LISTEN_PORT_PROP_NAME}.
     */
    public static int listenPort()
    {
        return Integer.getInteger(LISTEN_PORT_PROP_NAME, LISTEN_PORT_DEFAULT);
    }

    /**
     * @return {@link #MEMORY_PROP_NAME} in bytes.
     */
    public static long memory()
    {
        return getSizeAsLong(MEMORY_PROP_NAME, MEMORY_DEFAULT);
    }

    /**
     * @return {@link #HUGE_PAGES_PROP_NAME}.
     * @throws IllegalArgumentException if it is none of the three.
     */
    public static HugePages hugePages()
    {
        final String text = System.getProperty(HUGE_PAGES_PROP_NAME);
        return text == null ? HUGE_PAGES_DEFAULT : HugePages.of(text);
    }

    /**
     * @return {@link #RECORD_LENGTH_PROP_NAME} in bytes.
     */
    public static int recordLength()
    {
        return getSizeAsInt(RECORD_LENGTH_PROP_NAME, RECORD_LENGTH_DEFAULT);
    }

    /**
     * @return {@link #SHARDS_PROP_NAME}; by default one for every four cores, and one on a machine with fewer.
     */
    public static int shards()
    {
        return Integer.getInteger(
            SHARDS_PROP_NAME, Math.max(1, Runtime.getRuntime().availableProcessors() / CORES_PER_SHARD));
    }

    /**
     * @return {@link #DEVICE_PROP_NAME}.
     */
    public static String device()
    {
        return System.getProperty(DEVICE_PROP_NAME, DEVICE_DEFAULT);
    }

    /**
     * @return {@link #RDMA_PORT_PROP_NAME} and the seven that follow it.
     * @throws IllegalArgumentException if one of them is out of its range.
     */
    public static ConnectionOptions connection()
    {
        final ConnectionOptions defaults = CONNECTION_DEFAULT;
        return new ConnectionOptions(
            Integer.getInteger(RDMA_PORT_PROP_NAME, defaults.port()),
            Integer.getInteger(GID_INDEX_PROP_NAME, defaults.gidIndex()),
            Integer.getInteger(SERVICE_LEVEL_PROP_NAME, defaults.serviceLevel()),
            Integer.getInteger(TRAFFIC_CLASS_PROP_NAME, defaults.trafficClass()),
            defaults.access(),
            Integer.getInteger(RDMA_TIMEOUT_PROP_NAME, defaults.timeout()),
            Integer.getInteger(RDMA_RETRIES_PROP_NAME, defaults.retryCount()),
            Integer.getInteger(RNR_RETRIES_PROP_NAME, defaults.rnrRetry()),
            Integer.getInteger(MIN_RNR_TIMER_PROP_NAME, defaults.minRnrTimer()));
    }

    /**
     * @return {@link #SPIN_PROP_NAME} in nanoseconds.
     */
    public static long spinNs()
    {
        return getDurationInNanos(SPIN_PROP_NAME, SPIN_DEFAULT_NS);
    }

    /**
     * @return {@link #MAX_SESSIONS_PROP_NAME}.
     */
    public static int maxSessions()
    {
        return Integer.getInteger(MAX_SESSIONS_PROP_NAME, MAX_SESSIONS_DEFAULT);
    }

    /**
     * @return {@link #LEASE_PROP_NAME} in nanoseconds.
     */
    public static long leaseNs()
    {
        return getDurationInNanos(LEASE_PROP_NAME, LEASE_DEFAULT_NS);
    }

    /**
     * @return {@link #HANDSHAKE_TIMEOUT_PROP_NAME} in nanoseconds.
     */
    public static long handshakeTimeoutNs()
    {
        return getDurationInNanos(HANDSHAKE_TIMEOUT_PROP_NAME, HANDSHAKE_TIMEOUT_DEFAULT_NS);
    }

    /**
     * @return {@link #MAX_HANDSHAKES_PROP_NAME}.
     */
    public static int maxHandshakes()
    {
        return Integer.getInteger(MAX_HANDSHAKES_PROP_NAME, MAX_HANDSHAKES_DEFAULT);
    }

    /**
     * @return {@link #MAX_SESSIONS_PER_ADDRESS_PROP_NAME}, 0 for the default.
     */
    public static int maxSessionsPerAddress()
    {
        return Integer.getInteger(MAX_SESSIONS_PER_ADDRESS_PROP_NAME, PER_PEER_DEFAULT);
    }

    /**
     * @return {@link #MAX_SESSIONS_PER_IDENTITY_PROP_NAME}, 0 for the default.
     */
    public static int maxSessionsPerIdentity()
    {
        return Integer.getInteger(MAX_SESSIONS_PER_IDENTITY_PROP_NAME, PER_PEER_DEFAULT);
    }

    /**
     * @return {@link #MAX_HANDSHAKES_PER_ADDRESS_PROP_NAME}, 0 for the default.
     */
    public static int maxHandshakesPerAddress()
    {
        return Integer.getInteger(MAX_HANDSHAKES_PER_ADDRESS_PROP_NAME, PER_PEER_DEFAULT);
    }

    /**
     * @return {@link #CREDITS_PROP_NAME}.
     */
    public static int credits()
    {
        return Integer.getInteger(CREDITS_PROP_NAME, CREDITS_DEFAULT);
    }

    /**
     * @return {@link #MESSAGE_LENGTH_PROP_NAME} in bytes.
     */
    public static int messageLength()
    {
        return getSizeAsInt(MESSAGE_LENGTH_PROP_NAME, MESSAGE_LENGTH_DEFAULT);
    }

    /**
     * @return {@link #PULL_LIMIT_PROP_NAME} in bytes.
     */
    public static long pullLimit()
    {
        return getSizeAsLong(PULL_LIMIT_PROP_NAME, PULL_LIMIT_DEFAULT);
    }
}
