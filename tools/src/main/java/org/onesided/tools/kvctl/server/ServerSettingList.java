package org.onesided.tools.kvctl.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import org.onesided.protocol.bootstrap.ZoneName;
import org.onesided.server.ServerConfiguration;
import org.onesided.server.ServerOptions;
import org.onesided.server.ServerSetting;
import org.onesided.server.data.DataOptions;
import org.onesided.server.eviction.Eviction;
import org.onesided.tools.kvctl.command.ClientOptions;
import org.onesided.tools.settings.MemorySize;
import org.onesided.tools.settings.RdmaSetting;
import org.onesided.tools.settings.Setting;
import org.onesided.tools.settings.SettingSource;
import org.onesided.tools.settings.TimeSpan;
import org.onesided.tools.settings.WholeNumber;
import picocli.CommandLine.ITypeConverter;

/**
 * The settings of {@code kvctl server}. Ranges and defaults of numbers are those of {@link ServerSetting}.
 */
final class ServerSettingList
{
    static final Setting<Path> CONFIG =
        Setting.fileOfServer("config", "File of Java properties, which have the names of the options");
    static final Setting<String> DEVICE = Setting.shared("device", "NAME", (text) -> text,
        "Device that carries the verbs: ibv, ibv:NAME (kvctl rdma devices lists them), shm, " +
            "tcp[:HOST_OR_INTERFACE:PORT] (by default the host of --listen and any free port), several with commas " +
            "between them, or auto for the best of this machine",
        ServerConfiguration.DEVICE_DEFAULT).completedBy("auto", "shm", "ibv", "ibv:", "tcp", "tcp:");
    static final Setting<Path> TOKENS_FILE = Setting.fileOfServer("tokens-file",
        "File with several secrets instead of one, a line NAME:SECRET each; clients must show one of them");
    static final Setting<Path> READ_TOKENS_FILE = Setting.fileOfServer("read-tokens-file",
        "File with secrets of clients that may look up only, a line NAME:SECRET each; besides the secrets of those " +
            "that may write, too");
    static final Setting<Path> TLS_CERTIFICATE = Setting.fileOfServer("tls-certificate",
        "Certificate to show clients, PEM, followed by those that lead to its authority; clients must then connect " +
            "within TLS 1.3");
    static final Setting<Path> TLS_KEY =
        Setting.fileOfServer("tls-key", "Key of that certificate, PEM without a password");
    static final Setting<Path> TLS_CLIENT_CA = Setting.fileOfServer("tls-client-ca",
        "Certificates of authorities, PEM; clients must show a certificate of one of them");
    static final Setting<Path> TLS_PEER_CERTIFICATE = Setting.fileOfServer("tls-peer-certificate",
        "Certificate to show other members of a cluster, PEM, for the host of --peer-listen, followed by those that " +
            "lead to its authority; --tls-certificate unless given");
    static final Setting<Path> TLS_PEER_KEY = Setting.fileOfServer("tls-peer-key",
        "Key of that certificate, PEM without a password; --tls-key unless given");
    static final Setting<Path> TLS_PEER_CA = Setting.fileOfServer("tls-peer-ca",
        "Certificates of authorities, PEM; the other members of a cluster must show a certificate of one of them for " +
            "their host. Needed for --peer-listen beyond loopback (docs/security.md)");
    static final Setting<ListenAddress> METRICS = Setting.ofServer("metrics", "[HOST:]PORT",
        ListenAddress::parseLocal,
        "Address of /metrics, for Prometheus, and /health over HTTP, without authentication but for " +
            "--metrics-token-file: 127.0.0.1 unless a host is named, port 0 for any free one", "none");
    static final Setting<Path> METRICS_TOKEN_FILE = Setting.fileOfServer("metrics-token-file",
        "File with the secret that /metrics asks for, as a bearer token or a password of any user");
    static final Setting<LogFormat> LOG_FORMAT = Setting.ofServer("log-format", "text|json", LogFormat::parse,
        "Form of each line of the log", "text").completedBy("text", "json");

    private static final List<ServerOption<?>> EFFECTIVE = List.of(
        new ServerOption<>(Setting.ofServer("listen", "HOST:PORT", ListenAddress::parse,
            "Address that clients connect to, port 0 for any free one",
            ServerConfiguration.LISTEN_HOST_DEFAULT + ":" + ServerSetting.PORT.byDefault()),
            (options, address) -> options.listenHost(address.host()).listenPort(address.port())),
        new ServerOption<>(Setting.ofServer("huge-pages", "auto|on|off", Readers::hugePages,
            "Whether the store uses huge pages: if the machine has some (auto), always (on) or never (off); " +
                "'kvctl rdma doctor' prints how to get some",
            ServerConfiguration.HUGE_PAGES_DEFAULT.name().toLowerCase(Locale.ROOT)).completedBy("auto", "on", "off"),
            ServerOptions::hugePages),
        size("memory", ServerSetting.MEMORY, new MemorySize(), ServerOptions::memory,
            "Most memory of the store, such as 512MiB or 2g; it grows to that as it needs it"),
        new ServerOption<>(Setting.ofServer("evict", Eviction.labels("|"), Readers::eviction,
            "Which records leave when the memory is full, so that puts find room: none, so puts are refused, or " +
                "those that clients look up least (docs/eviction.md)", ServerConfiguration.EVICT_DEFAULT.label())
            .completedBy(Eviction.labels("|").split("\\|")),
            ServerOptions::evict),
        new ServerOption<>(Setting.ofServer("data", "DIR", Readers::directory,
            "Directory that keeps the store over restarts and crashes; an empty or missing one for a new store",
            "none"),
            (options, path) -> options.data(options.data().directory(path))),
        new ServerOption<>(Setting.ofServer("sync", "always|interval", Readers::sync,
            "When a write is acknowledged that --data keeps: when it is on the disk (always), or when the system has " +
                "it, so that a crash of the system may take the last ones (interval)", "always")
            .completedBy("always", "interval"),
            (options, mode) -> options.data(options.data().sync(mode))),
        new ServerOption<>(Setting.ofServer("snapshot-log", "SIZE", Readers::snapshotLog,
            "Log of a shard behind which --data keeps a snapshot: longer takes more disk, and longer to start from",
            MemorySize.text(DataOptions.DEFAULT_SNAPSHOT_LOG)),
            (options, bytes) -> options.data(options.data().snapshotLog(bytes))),
        new ServerOption<>(Setting.ofServer("peer-listen", "HOST:PORT", ListenAddress::parse,
            "Address that the other members of a cluster connect to; if --data is empty or missing, the server waits " +
                "until 'kvctl cluster create' makes it a member (docs/cluster.md)", "none"),
            (options, address) -> options.peers(options.peers().listen(address.toString()))),
        new ServerOption<>(Setting.ofServer("zone", "NAME", Readers::zone,
            "Rack, data centre or the like that this member of a cluster is in: replicas of a partition go to " +
                "different ones (docs/cluster.md); " + ZoneName.RULE + "; case counts", "none"),
            (options, name) -> options.peers(options.peers().zone(name))),
        size("memory-initial", ServerSetting.MEMORY_INITIAL, new MemorySize(), ServerOptions::memoryInitial,
            "Memory that the store has before it says ready, at most --memory"),
        new ServerOption<>(Setting.ofServer("memory-release", "TIME", Readers::releaseTime,
            "How long memory that records leave free stays before the system gets it back, such as 30s, or never; " +
                "the index keeps its size", "never").completedBy("never"),
            ServerOptions::memoryReleaseNs),
        new ServerOption<>(Setting.ofServer("default-ttl", "TIME", Readers::defaultTtl,
            "How long a key lives whose put says nothing about it, such as 30s, 12h or 30d, or never",
            "never").completedBy("never"),
            ServerOptions::defaultTtlNs),
        number("shards", ServerSetting.SHARDS, ServerOptions::shards,
            "Parts of the store, each with its own thread for changes", "1 per 4 processors"),
        new ServerOption<>(Setting.ofServer("spin", "TIME", new SpinTime(),
            "How long an idle shard polls for requests before it sleeps: a time such as 50us, never (least processor " +
                "time) or always (least latency)", time(ServerSetting.SPIN)),
            ServerOptions::spinNs),
        number("max-sessions", ServerSetting.MAX_SESSIONS, ServerOptions::maxSessions,
            "Sessions at a time, of which a client has up to maxSessions, by default 8"),
        new ServerOption<>(Setting.ofServer("lease", "TIME", Readers::lease,
            "The server ends a session that it has not heard from for so long", time(ServerSetting.LEASE)),
            (options, lease) -> options.leaseNs(lease.toNanos())),
        number("max-handshakes", ServerSetting.MAX_HANDSHAKES, ServerOptions::maxHandshakes,
            "Clients that may connect at a time"),
        new ServerOption<>(Setting.ofServer("handshake-timeout", "TIME", new TimeSpan(),
            "How long a client may take to connect", time(ServerSetting.HANDSHAKE_TIMEOUT)),
            (options, timeout) -> options.handshakeTimeoutNs(timeout.toNanos())),
        number("max-sessions-per-address", ServerSetting.MAX_SESSIONS_PER_ADDRESS,
            ServerOptions::maxSessionsPerAddress, "Sessions at a time from one address, or one /64 of IPv6",
            "three quarters, all from loopback"),
        number("max-sessions-per-identity", ServerSetting.MAX_SESSIONS_PER_IDENTITY,
            ServerOptions::maxSessionsPerIdentity,
            "Sessions at a time of one identity: a name of --tokens-file or the subject of a certificate",
            "three quarters, all if there is one identity"),
        number("max-handshakes-per-address", ServerSetting.MAX_HANDSHAKES_PER_ADDRESS,
            ServerOptions::maxHandshakesPerAddress,
            "Clients that may connect at a time from one address, or one /64 of IPv6", "half, all from loopback"),
        number("credits", ServerSetting.CREDITS, ServerOptions::credits,
            "Requests that a session may have unanswered at a shard"),
        size("message-size", ServerSetting.MESSAGE_LENGTH, Readers::messageLength, ServerOptions::messageLength,
            "Longest request or answer, a multiple of 64 bytes; the server READs larger values"),
        size("pull-limit", ServerSetting.PULL_LIMIT, new MemorySize(), ServerOptions::pullLimit,
            "Bytes of large values that a session may have in flight at a shard"),
        new ServerOption<>(Setting.ofServer("room-wait", "TIME", new TimeSpan(),
            "How long a put may wait until records have moved to make room for it", time(ServerSetting.ROOM_WAIT)),
            (options, wait) -> options.roomWaitNs(wait.toNanos())));

    private ServerSettingList()
    {
    }

    /** All settings, by name. */
    static List<Setting<?>> all()
    {
        final List<Setting<?>> all = new ArrayList<>(own());
        all.add(DEVICE);
        all.add(ClientOptions.TOKEN_FILE);
        all.addAll(RdmaSetting.settings());
        all.sort(Comparator.comparing(Setting::name));
        return all;
    }

    /** The settings that only servers have. */
    static List<Setting<?>> own()
    {
        final List<Setting<?>> own = new ArrayList<>(List.of(
            CONFIG, TOKENS_FILE, READ_TOKENS_FILE, TLS_CERTIFICATE, TLS_KEY, TLS_CLIENT_CA, TLS_PEER_CERTIFICATE,
            TLS_PEER_KEY, TLS_PEER_CA, METRICS, METRICS_TOKEN_FILE, LOG_FORMAT));
        EFFECTIVE.forEach(option -> own.add(option.setting()));
        return own;
    }

    /** Applies the settings that only change {@link ServerOptions}. */
    static void apply(final SettingSource source, final ServerOptions options)
    {
        EFFECTIVE.forEach(option -> option.apply(source, options));
    }

    private static ServerOption<Integer> number(
        final String name,
        final ServerSetting number,
        final BiConsumer<ServerOptions, Integer> effect,
        final String meaning)
    {
        return number(name, number, effect, meaning, Long.toString(number.byDefault()));
    }

    private static ServerOption<Integer> number(
        final String name,
        final ServerSetting number,
        final BiConsumer<ServerOptions, Integer> effect,
        final String meaning,
        final String byDefault)
    {
        // 0 stands for a default that depends on other settings: to be left out, not given.
        final WholeNumber reader = new WholeNumber((int)Math.max(1, number.min()), (int)number.max());
        return new ServerOption<>(Setting.ofServer(name, "N", reader, meaning, byDefault), effect);
    }

    private static <T> ServerOption<T> size(
        final String name,
        final ServerSetting number,
        final ITypeConverter<T> reader,
        final BiConsumer<ServerOptions, T> effect,
        final String meaning)
    {
        return new ServerOption<>(
            Setting.ofServer(name, "SIZE", reader, meaning, MemorySize.text(number.byDefault())), effect);
    }

    private static String time(final ServerSetting number)
    {
        return TimeSpan.text(Duration.ofNanos(number.byDefault()));
    }
}
