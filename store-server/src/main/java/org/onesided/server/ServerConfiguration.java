package org.onesided.server;

import java.nio.file.Path;
import org.agrona.SystemUtil;
import org.jspecify.annotations.Nullable;
import org.onesided.server.data.DataOptions;
import org.onesided.server.eviction.Eviction;
import org.onesided.verbs.Access;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.DeviceChoice;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.PathChoice;

/**
 * The server's system properties that are not {@link ServerSetting numbers}: name, default and reader of each, side by
 * side. {@link ServerOptions} starts with their values.
 */
public final class ServerConfiguration
{
    /** Host to listen on. */
    public static final String LISTEN_HOST_PROP_NAME = "onesided.server.listen.host";
    /** Default: only this machine. */
    public static final String LISTEN_HOST_DEFAULT = "127.0.0.1";

    /** Whether the region is in huge pages: off, auto or on. */
    public static final String HUGE_PAGES_PROP_NAME = "onesided.server.huge.pages";
    /** Default: if the machine has some. */
    public static final HugePages HUGE_PAGES_DEFAULT = HugePages.AUTO;

    /** Which records leave when the memory is full: none, or the name of a policy. */
    public static final String EVICT_PROP_NAME = "onesided.server.evict";
    /** Default: none, so puts without room are refused. */
    public static final Eviction EVICT_DEFAULT = Eviction.NONE;

    /** Directory of a table that outlives the server's process; not set for a table in memory only. */
    public static final String DATA_PROP_NAME = "onesided.server.data";
    /** When a write to such a table is acknowledged: always (it is on the disk) or interval (the system has it). */
    public static final String SYNC_PROP_NAME = "onesided.server.sync";
    /** Bytes that the log of a shard grows by until the shard writes a snapshot. */
    public static final String SNAPSHOT_LOG_PROP_NAME = "onesided.server.snapshot.log";

    /** Address that other members of a cluster connect to; not set for a server that is alone. */
    public static final String PEER_LISTEN_PROP_NAME = "onesided.server.peer.listen";
    /** Rack, data centre or the like that a member of a cluster is in, 1 to 32 letters, digits, '-', '_' or '.'. */
    public static final String ZONE_PROP_NAME = "onesided.server.zone";

    /** Name of the device, or of several with commas between. */
    public static final String DEVICE_PROP_NAME = "onesided.server.device";
    /** Default: the best device. */
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
    /** Retries while a client has no receive posted, 0 to 6, because a server must not wait for ever. */
    public static final String RNR_RETRIES_PROP_NAME = "onesided.server.rnr.retries";
    /** How long clients wait while no receive is posted here, as a code, 0 to 31. */
    public static final String MIN_RNR_TIMER_PROP_NAME = "onesided.server.min.rnr.timer";
    /** {@link ConnectionOptions#defaults} with READs by clients. */
    public static final ConnectionOptions CONNECTION_DEFAULT = ConnectionOptions.defaults(Access.REMOTE_READ);

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
     * @return {@link #HUGE_PAGES_PROP_NAME}.
     * @throws IllegalArgumentException if it is none of the three.
     */
    public static HugePages hugePages()
    {
        final String text = System.getProperty(HUGE_PAGES_PROP_NAME);
        return text == null ? HUGE_PAGES_DEFAULT : HugePages.of(text);
    }

    /**
     * @return {@link #EVICT_PROP_NAME}.
     * @throws IllegalArgumentException if it names none.
     */
    public static Eviction evict()
    {
        final String text = System.getProperty(EVICT_PROP_NAME);
        return text == null ? EVICT_DEFAULT : Eviction.of(text);
    }

    /**
     * @return {@link #DATA_PROP_NAME}, {@link #SYNC_PROP_NAME} and {@link #SNAPSHOT_LOG_PROP_NAME}.
     * @throws IllegalArgumentException if one of them is out of its range.
     */
    public static DataOptions data()
    {
        final String directory = System.getProperty(DATA_PROP_NAME);
        final String sync = System.getProperty(SYNC_PROP_NAME);
        return new DataOptions(
            directory == null ? null : Path.of(directory),
            sync == null ? DataOptions.NONE.sync() : DataOptions.sync(sync),
            SystemUtil.getSizeAsLong(SNAPSHOT_LOG_PROP_NAME, DataOptions.DEFAULT_SNAPSHOT_LOG),
            false,
            DataOptions.NONE.onReadBack());
    }

    /**
     * @return {@link #PEER_LISTEN_PROP_NAME}, or null.
     */
    public static @Nullable String peerListen()
    {
        return System.getProperty(PEER_LISTEN_PROP_NAME);
    }

    /**
     * @return {@link #ZONE_PROP_NAME}, or null.
     */
    public static @Nullable String zone()
    {
        return System.getProperty(ZONE_PROP_NAME);
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
}
